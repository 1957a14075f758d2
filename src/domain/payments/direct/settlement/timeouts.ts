import { setTimeout as sleepFor } from "node:timers/promises";
import { SECOND } from "../../../../platform/clock.ts";
import { within } from "../../../../platform/time-limit.ts";

/** How long one call waits for the facilitator and the chain, in ms. What comes later is found by the reconciler. */
export interface Timeouts {
  /** How long the facilitator may take to answer. */
  readonly verifyMs: number;
  readonly settleMs: number;
  /** Pauses between two checks of the chain, for a payment that should be on its way. */
  readonly pauses: readonly number[];
  /** The same pauses for a payment that the facilitator says was not handed over. */
  readonly pausesAfterRefusal: readonly number[];
  sleep(ms: number): Promise<unknown>;
  /** @returns null when the work took longer */
  within<T>(work: Promise<T>, ms: number): Promise<T | null>;
}

export const TIMEOUTS: Timeouts = {
  verifyMs: 15 * SECOND,
  settleMs: 40 * SECOND,
  pauses: [250, 500, 1_000, 2_000, 3_000, 4_000],
  pausesAfterRefusal: [500, 1_500],
  sleep: (ms) => sleepFor(ms),
  within,
};
