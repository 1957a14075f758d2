/** What an event says of a payment page. */
interface SessionFields {
  /** The id of the checkout session. */
  readonly reference: string;
  /** The reference that we gave the processor when the page was created. */
  readonly orderId: string | null;
  /** The PaymentIntent, if there is one. */
  readonly paymentId: string | null;
  readonly amountCents: number | null;
  /** Lower case. */
  readonly currency: string | null;
  /** The part of the amount that is tax; null where the processor has not worked it out. */
  readonly taxCents: number | null;
}

/** `open`: the money is withheld. */
export type DisputeState = "open" | "won" | "lost";

/** An event of the card processor, in our own terms. */
export type CardEvent = {
  /** Unique; the same event may come more than once. */
  readonly id: string;
  /** The processor's name of its type. */
  readonly type: string;
  readonly isLive: boolean;
  /** When the processor made it, in ms by its clock: of two statements about one thing the later one counts. */
  readonly createdAt: number;
} & (
  | ({ readonly kind: "paid" | "waiting" | "failed" | "expired" } & SessionFields)
  /** `refundedCents`: all refunds of the payment so far, together. */
  | {
      readonly kind: "refunded";
      readonly paymentId: string;
      readonly refundedCents: number;
      /** Lower case. */
      readonly currency: string;
    }
  /** One refund of the payment. A refund counts from when it is made until it fails or is cancelled. */
  | {
      readonly kind: "refund";
      readonly paymentId: string;
      readonly refundId: string;
      readonly cents: number;
      /** Lower case. */
      readonly currency: string;
      /** It has failed or was cancelled, which is final: the money is the seller's again. */
      readonly hasFailed: boolean;
    }
  | {
      readonly kind: "disputed";
      readonly paymentId: string;
      readonly disputeId: string;
      readonly state: DisputeState;
    }
  /** An event of a type that concerns orders, without what such an event must say. `orderId` is null if it names none. */
  | { readonly kind: "unreadable"; readonly orderId: string | null; readonly problem: string }
  /** An event that does not concern orders. */
  | { readonly kind: "other" }
);

export type SessionEvent = Extract<CardEvent, SessionFields>;
export type RefundsEvent = Extract<CardEvent, { kind: "refunded" }>;
export type RefundEvent = Extract<CardEvent, { kind: "refund" }>;
export type DisputeEvent = Extract<CardEvent, { kind: "disputed" }>;
