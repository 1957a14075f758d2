import type { Engine } from "../../../db/engine.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { createHttp } from "../../platform/http-client/http-client.ts";
import type { Payments } from "./payments.ts";

export interface PaymentParts {
  readonly db: Engine;
  readonly clock: Clock;
  /** With the address that the service is reached at. */
  readonly config: Config;
  readonly log: PaymentLog;
}

/** What the operator has to hear of money; pino has this shape. */
export interface PaymentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Loads what the settings need, and checks direct payment against its chain, before the service listens.
 * @returns makes the payments once the address of the service is known
 * @throws Error naming the setting that does not fit the chain
 */
export async function loadPayments(config: Config, log: PaymentLog): Promise<(parts: PaymentParts) => Payments> {
  // viem takes 0.7 s and 70 MB to load, stripe 0.1 s, which nobody pays who has no use for them.
  const openDirect =
    config.direct && (await (await import("./direct/open.ts")).loadDirect(config.direct, log, createHttp(config)));
  const openCards = config.cards !== "none" && (await import("./cards/open.ts")).openCards;
  return (parts) => ({ cards: openCards ? openCards(parts) : null, direct: openDirect?.(parts) ?? null });
}
