import type { Tx } from "../../../../db/engine.ts";
import type { Pack } from "../orders/packs.ts";
import type { CreditedPayment } from "./settlement/credit.ts";
import type { Purchase, SettledPayment } from "./settlement/purchase.ts";

/** Direct payment as the operations use it. Its implementation is loaded only where it is configured. */
export interface DirectPayments {
  /**
   * The headers of a 402 with the price of a pack: PAYMENT-REQUIRED and `WWW-Authenticate: Payment`.
   * @param reason why a payment was not accepted, a code of ours
   * @throws Refusal unavailable while the chain has not been reached since the start
   */
  price(pack: Pack, reason?: string): Promise<Readonly<Record<string, string>>>;
  /**
   * Verifies and settles a signed payment, until the chain itself shows the transfer. Nothing is credited yet.
   * @throws Refusal payment_invalid, idempotency_in_flight, settlement_pending, unavailable, rate_limited
   */
  settle(purchase: Purchase): Promise<SettledPayment>;
  /** Gives the credits, in the transaction of the answer; a payment that is credited already gets the same answer. */
  credit(tx: Tx, settled: SettledPayment): Promise<CreditedPayment>;
  /** Checks every open payment on the chain. Credits payments that have landed, and ends payments that can no longer land. */
  reconcile(): Promise<void>;
}
