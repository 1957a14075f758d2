import type { CardProcessor } from "./cards/card-processor.ts";
import type { DirectPayments } from "./direct/direct-payments.ts";

/** The ways in which this deployment takes money. */
export interface Payments {
  /** Null where cards are not taken. */
  readonly cards: CardProcessor | null;
  /** Null where direct payment is not configured. */
  readonly direct: DirectPayments | null;
}

/** Where nothing is sold: on the thread for large calls. */
export const NO_PAYMENTS: Payments = { cards: null, direct: null };
