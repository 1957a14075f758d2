/** What an event says of a payment page. */
interface OfSession {
  /** Of the checkout session. */
  readonly reference: string;
  /** As we gave it along. */
  readonly orderId: string | null;
  /** The PaymentIntent, where there is one. */
  readonly paymentId: string | null;
  readonly amountCents: number | null;
  /** Lower case. */
  readonly currency: string | null;
}

/** An event of the card processor, in the words of this house. */
export type CardEvent = {
  /** Unique; the same event may come more than once. */
  readonly id: string;
  /** The processor's word for it. */
  readonly type: string;
  readonly isLive: boolean;
} & (
  | ({ readonly kind: "paid" | "waiting" | "failed" | "expired" } & OfSession)
  /** Given back so far, all refunds of the payment together. */
  | {
      readonly kind: "refunded";
      readonly paymentId: string;
      readonly refundedCents: number;
      readonly currency: string;
    }
  | {
      readonly kind: "disputed";
      readonly paymentId: string;
      readonly disputeId: string;
      readonly state: "open" | "won" | "lost";
    }
  /** Nothing that concerns orders. */
  | { readonly kind: "other" }
);
