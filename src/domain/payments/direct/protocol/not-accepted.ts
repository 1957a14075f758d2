import type { Reason } from "./reasons.ts";

/** A payment that is not accepted; the payer is answered 402 payment_invalid, with the price. */
export class NotAccepted extends Error {
  readonly reason: Reason;
  /** The payer, if the payment was submitted and refused. */
  readonly payer: string | null;

  constructor(reason: Reason, payer: string | null = null) {
    super(reason);
    this.reason = reason;
    this.payer = payer;
  }
}
