/** What an event says of a payment page. */
interface SessionFields {
  /** Of the checkout session. */
  readonly reference: string;
  /** As we named it to the processor when the page was made. */
  readonly orderId: string | null;
  /** The PaymentIntent, where there is one. */
  readonly paymentId: string | null;
  readonly amountCents: number | null;
  /** Lower case. */
  readonly currency: string | null;
}

/** `open`: the money is withheld. */
export type DisputeState = "open" | "won" | "lost";

/** An event of the card processor, in our own terms. */
export type CardEvent = {
  /** Unique; the same event may come more than once. */
  readonly id: string;
  /** The processor's word for it. */
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
  /** Of a type that concerns orders, but without what such an event must say. `orderId` is null if it names none. */
  | { readonly kind: "unreadable"; readonly orderId: string | null; readonly problem: string }
  /** Nothing that concerns orders. */
  | { readonly kind: "other" }
);

export type SessionEvent = Extract<CardEvent, SessionFields>;
export type RefundEvent = Extract<CardEvent, { kind: "refunded" }>;
export type DisputeEvent = Extract<CardEvent, { kind: "disputed" }>;
