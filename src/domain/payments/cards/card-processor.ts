import { HOUR } from "../../../platform/clock.ts";
import type { OrderRow } from "../orders/orders.ts";
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

/** Who takes cards: makes payment pages, and tells by signed events what became of them. */
export interface CardProcessor {
  /** Of `PAYMENT_METHODS`. */
  readonly method: string;
  /** Whether its events are about real money. */
  readonly isLive: boolean;
  /** Origin of the payment pages where it is not our own: a form of ours leads there. */
  readonly origin: string | null;
  /** Makes a payment page; nothing is written here. @throws Refusal unavailable */
  open(draft: CheckoutDraft): Promise<Checkout>;
  /**
   * The event in the body of a webhook.
   * @param signature what came in the header that its method names
   * @throws BadSignature
   */
  read(body: Buffer, signature: string | undefined): CardEvent;
  /** What became of a payment page whose events never came; nothing: it is still open. @throws Refusal unavailable */
  lookUp(reference: string): Promise<readonly CardEvent[]>;
  /** What the ledger says of a purchase; by default that credits were bought by card. */
  describePurchase?(order: OrderRow): string;
}

/** The body was not signed by the processor, or too long ago, or is no event at all. */
export class BadSignature extends Error {}
