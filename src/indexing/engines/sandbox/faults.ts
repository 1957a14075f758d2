import { DAY, HOUR } from "../../../platform/clock.ts";
import type { Fault, SimulatedFault } from "../../../platform/config/sandbox-faults.ts";

/** A fault and when it is active, in service time. */
interface Period {
  readonly fault: Fault;
  readonly from: number;
  readonly until: number;
}

/** Decides which faults the sandbox simulates: the ones in SANDBOX_FAULTS, or the ones that a test sets. */
export class FaultInjector {
  #periods: Period[];
  readonly #startedAt: number;
  #calls = 0;
  readonly #taken = new Map<string, number>();

  constructor(faults: readonly SimulatedFault[], startedAt: number) {
    this.#startedAt = startedAt;
    this.#periods = faults.map(({ fault, hours }) => ({
      fault,
      from: hours ? startedAt + hours.from * HOUR : Number.NEGATIVE_INFINITY,
      until: hours ? startedAt + hours.until * HOUR : Number.POSITIVE_INFINITY,
    }));
  }

  /** Replaces the active faults. */
  set(...faults: Fault[]): void {
    this.#periods = faults.map((fault) => ({ fault, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }));
  }

  /** Adds a fault that is active in a span of service time. */
  during(fault: Fault, from: number, until: number): void {
    this.#periods.push({ fault, from, until });
  }

  isActive(fault: Fault, at: number): boolean {
    return this.#periods.some((period) => period.fault === fault && at >= period.from && at < period.until);
  }

  /** Whether this call fails. During `server_error` every second call does. */
  failsNow(at: number): boolean {
    return this.isActive("server_error", at) && this.#calls++ % 2 === 0;
  }

  /** Takes up to `wanted` URLs from an engine's quota of the day. @returns how many were left */
  takeQuota(engine: string, at: number, wanted: number): number {
    if (!this.isActive("quota", at)) return wanted;
    const day = `${engine} ${Math.floor(at / DAY)}`;
    const taken = this.#taken.get(day) ?? 0;
    const granted = Math.min(wanted, 10 - taken);
    this.#taken.set(day, taken + granted);
    return granted;
  }

  get startedAt(): number {
    return this.#startedAt;
  }
}
