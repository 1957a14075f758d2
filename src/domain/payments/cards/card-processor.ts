import { HOUR } from "../../../platform/clock.ts";
import type { Pack } from "../orders/prices.ts";
import type { CardEvent } from "./event.ts";

/** A payment page is open that long. Stripe takes at most a day by its own clock, which ours may be ahead of. */
export const CHECKOUT_MS = 23 * HOUR;

export interface CheckoutDraft {
  readonly orderId: string;
  readonly pack: Pack;
  /** Of the account, which the payment page fills in. */
  readonly email: string;
  /** ms since 1970. */
  readonly expiresAt: number;
}

export interface Checkout {
  /** What the processor calls it. */
  readonly reference: string;
  /** Where a person pays. */
  readonly url: string;
}

/** Who takes cards: Stripe, or the sandbox in its place. Both speak by the same signed events. */
export interface CardProcessor {
  readonly method: "stripe" | "sandbox";
  /** Origin of the payment pages where it is not our own: a form of ours leads there. */
  readonly origin: string | null;
  /** Makes a payment page; nothing is written here. @throws Refusal unavailable */
  open(draft: CheckoutDraft): Promise<Checkout>;
  /**
   * The event in the body of a webhook.
   * @param signature the header Stripe-Signature
   * @throws BadSignature
   */
  read(body: Buffer, signature: string | undefined): CardEvent;
  /** What became of a payment page whose events never came; nothing: it is still open. @throws Refusal unavailable */
  lookUp(reference: string): Promise<readonly CardEvent[]>;
}

/** The body was not signed by the processor, or too long ago, or is no event at all. */
export class BadSignature extends Error {}
