import type { Cards } from "./cards/card-processor.ts";
import type { Direct } from "./direct/direct-payments.ts";

/** The ways in which this deployment takes money. */
export interface Payments {
  /** Null where cards are not taken. */
  readonly cards: Cards | null;
  /** Null where direct payment is not configured. */
  readonly direct: Direct | null;
}

/** Where nothing is sold: on the thread for large calls. */
export const NO_PAYMENTS: Payments = { cards: null, direct: null };
