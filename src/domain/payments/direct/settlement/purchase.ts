import type { Pack } from "../../orders/packs.ts";
import type { PresentedPayment } from "../../orders/presented-payment.ts";

/** What is bought, by which account, and the payment that came with the call. */
export interface Purchase {
  readonly accountId: string;
  /** Who buys, as the ledger names it. */
  readonly credential: string;
  readonly pack: Pack;
  readonly payment: PresentedPayment;
}

/** A payment that is on the chain. */
export interface SettledPayment {
  readonly key: string;
  /** Headers of the answer: PAYMENT-RESPONSE, and Payment-Receipt if it was paid by that scheme. */
  readonly headers: Readonly<Record<string, string>>;
  /** It was credited before. */
  readonly isReplay: boolean;
}
