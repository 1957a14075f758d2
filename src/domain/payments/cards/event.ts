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
export type RefundEvent = Extract<CardEvent, { kind: "refunded" }>;
export type DisputeEvent = Extract<CardEvent, { kind: "disputed" }>;
