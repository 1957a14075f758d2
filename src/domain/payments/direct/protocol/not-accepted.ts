import type { Reason } from "./reasons.ts";

/** A payment that is not taken, which its payer is told with the price (402 payment_invalid). */
export class NotAccepted extends Error {
  readonly reason: Reason;
  /** Whose payment was handed over and refused, where it came to that. */
  readonly payer: string | null;

  constructor(reason: Reason, payer: string | null = null) {
    super(reason);
    this.reason = reason;
    this.payer = payer;
  }
}
