import { SECOND } from "../../../../platform/clock.ts";
import type { OrderRow } from "../../orders/orders.ts";

/** The part of an event that says what happened; the rest follows from the order. */
export interface SandboxEvent {
  /** The id of the event, without its prefix. */
  readonly id: string;
  readonly type: string;
  readonly object: object;
}

/** An event of the sandbox as Stripe would write it (https://docs.stripe.com/api/events/object). */
export function eventBody({ id, type, object }: SandboxEvent, now: number): Buffer {
  const event = {
    id: `evt_sandbox_${id}`,
    object: "event",
    api_version: null,
    created: Math.floor(now / SECOND),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object },
  };
  return Buffer.from(JSON.stringify(event));
}

export function sessionObject(order: OrderRow, state: { status: string; paid?: boolean; payment?: boolean }): object {
  return {
    id: order.reference,
    object: "checkout.session",
    mode: "payment",
    livemode: false,
    client_reference_id: order.id,
    metadata: { order_id: order.id },
    amount_total: order.amountCents,
    currency: order.currency,
    status: state.status,
    payment_status: state.paid ? "paid" : "unpaid",
    payment_intent: state.payment === false ? null : paymentOf(order),
  };
}

export function chargeObject(order: OrderRow): object {
  return {
    id: `ch_sandbox_${tailOf(order)}`,
    object: "charge",
    livemode: false,
    payment_intent: paymentOf(order),
    amount: order.amountCents,
    amount_refunded: order.amountCents,
    currency: order.currency,
    refunded: true,
  };
}

export function disputeObject(order: OrderRow, id: string, status: "needs_response" | "won"): object {
  return {
    id,
    object: "dispute",
    livemode: false,
    charge: `ch_sandbox_${tailOf(order)}`,
    payment_intent: paymentOf(order),
    amount: order.amountCents,
    currency: order.currency,
    status,
  };
}

/** A page of the sandbox takes one payment. */
export function paymentOf(order: OrderRow): string {
  return `pi_sandbox_${tailOf(order)}`;
}

export const SANDBOX_PAGE = "cs_sandbox";

function tailOf({ reference }: OrderRow): string {
  return reference!.slice(SANDBOX_PAGE.length + 1);
}
