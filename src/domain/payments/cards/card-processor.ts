import { HOUR } from "../../../platform/clock.ts";
import type { OrderRow } from "../orders/orders.ts";
import type { Pack } from "../orders/packs.ts";
import type { CardEvent } from "./event.ts";

/** How long a payment page is open. Stripe allows at most a day by its own clock, and ours may be ahead of it. */
export const CHECKOUT_MS = 23 * HOUR;

export interface CheckoutDraft {
  readonly orderId: string;
  readonly pack: Pack;
  /** The address of the account, which the payment page fills in. */
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

/** A card processor: makes payment pages, and reports their outcomes by signed events. */
export interface CardProcessor {
  /** A key of `PAYMENT_METHODS`. */
  readonly method: string;
  /** Whether its events are about real money. */
  readonly isLive: boolean;
  /** Origin of the payment pages, because a form of ours leads there; null if it is our own. */
  readonly origin: string | null;
  /** Makes a payment page; nothing is written here. @throws Refusal unavailable */
  open(draft: CheckoutDraft): Promise<Checkout>;
  /**
   * The event in the body of a webhook.
   * @param signature the value of the header that its method names
   * @throws BadSignature
   */
  read(body: Buffer, signature: string | undefined): CardEvent;
  /**
   * The outcome of a payment page whose events never came, as events; none if the page is still open.
   * @throws Refusal unavailable
   */
  lookUp(reference: string): Promise<readonly CardEvent[]>;
  /** The text of a purchase in the ledger; by default that credits were bought by card. */
  describePurchase?(order: OrderRow): string;
}

/** The body was not signed by the processor, was signed too long ago, or is not an event. */
export class BadSignature extends Error {}
