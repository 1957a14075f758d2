/** A checkout session and its payment. Amounts are in cents. */
export interface Session {
  readonly id: string;
  readonly orderId: string | null;
  readonly amount: number;
  readonly currency: string;
  /** What Stripe Tax works out, a fifth of what remains without it; null where it is off. */
  readonly tax: number | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly url: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  status: "open" | "complete" | "expired";
  paymentStatus: "paid" | "unpaid";
  payment: Payment | null;
}

export interface Payment {
  readonly id: string;
  readonly charge: string;
  status: "succeeded" | "processing" | "requires_payment_method";
  refunded: number;
  readonly refunds: Refund[];
  dispute: { readonly id: string; status: string } | null;
}

export interface Refund {
  readonly id: string;
  readonly cents: number;
  status: "succeeded" | "failed";
}

/** Objects of the Stripe API with the fields that are used here (https://docs.stripe.com/api). */
export function sessionObject(session: Session, expand = false): Record<string, unknown> {
  const { id, orderId, amount, currency, payment, tax } = session;
  return {
    id,
    object: "checkout.session",
    mode: "payment",
    livemode: isLive(id),
    client_reference_id: orderId,
    metadata: orderId === null ? {} : { order_id: orderId },
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: tax !== null, status: tax === null ? null : "complete" },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax ?? 0 },
    currency,
    status: session.status,
    payment_status: session.paymentStatus,
    payment_intent: payment && (expand ? paymentObject(session, payment) : payment.id),
    expires_at: session.expiresAt,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    url: session.status === "open" ? session.url : null,
    customer_details: { email: "payer@example.com", name: "A Payer" },
  };
}

function paymentObject(session: Session, payment: Payment): object {
  const { id, status } = payment;
  const charge = status === "succeeded" ? chargeObject(session, payment) : null;
  return { id, object: "payment_intent", amount: session.amount, status, latest_charge: charge };
}

export function chargeObject({ id, amount, currency, orderId }: Session, payment: Payment): Record<string, unknown> {
  return {
    id: payment.charge,
    object: "charge",
    livemode: isLive(id),
    amount,
    amount_refunded: payment.refunded,
    currency,
    disputed: payment.dispute !== null,
    metadata: orderId === null ? {} : { order_id: orderId },
    payment_intent: payment.id,
    refunded: payment.refunded >= amount,
  };
}

export function refundObject(session: Session, payment: Payment, refund: Refund): Record<string, unknown> {
  const { id, cents, status } = refund;
  return {
    id,
    object: "refund",
    amount: cents,
    charge: payment.charge,
    currency: session.currency,
    failure_reason: status === "failed" ? "expired_or_canceled_card" : undefined,
    livemode: isLive(session.id),
    payment_intent: payment.id,
    status,
  };
}

export function disputeObject(session: Session, { charge, id, dispute }: Payment): Record<string, unknown> {
  return {
    id: dispute!.id,
    object: "dispute",
    amount: session.amount,
    balance_transactions: [],
    charge,
    currency: session.currency,
    livemode: isLive(session.id),
    payment_intent: id,
    reason: "fraudulent",
    status: dispute!.status,
  };
}

function isLive(sessionId: string): boolean {
  return sessionId.startsWith("cs_live_");
}
