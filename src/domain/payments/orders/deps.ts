import type { Engine } from "../../../../db/engine.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Config } from "../../../platform/config/config.ts";

/** What every payment method works with. */
export interface PaymentDeps {
  readonly db: Engine;
  readonly clock: Clock;
  /** With the address at which the service is reached. */
  readonly config: Config;
  readonly log: PaymentLog;
}

/** What a payment method is checked with before the service listens. */
export type StartDeps = Pick<PaymentDeps, "db" | "log">;

/** Logs for the operator what happens to money. A pino logger has this shape. */
export interface PaymentLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
