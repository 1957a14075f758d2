import type { OrderRow } from "../orders/orders.ts";
import type { CardEvent, SessionEvent } from "./event.ts";

/** What an event changed. */
export interface EventOutcome {
  /** The order that it belongs to. */
  readonly orderId: string | null;
  /** Why it changed nothing although it should have. */
  readonly problem: string | null;
  /** What the operator has to do although the event was applied. */
  readonly alert?: string;
}

/** Test payments and real money never mix (docs/rules.md rule 17). */
export function wrongMode(event: CardEvent, isLive: boolean): EventOutcome | null {
  if (event.isLive === isLive || event.kind === "other") return null;
  const problem = isLive
    ? "It is of a test, and this deployment takes real money."
    : "It is of real money, and this deployment takes test payments only.";
  return { orderId: null, problem };
}

/** Why a payment page does not belong to the order that it names; null if it does. */
export function mismatchOf(order: OrderRow, event: SessionEvent, method: string): string | null {
  if (order.method !== method) return `Its order is paid by ${order.method}, not by ${method}.`;
  if (order.reference !== event.reference) return "Its order has another checkout session.";
  if (event.orderId !== null && event.orderId !== order.id) return `Its checkout session belongs to order ${order.id}.`;
  if (event.amountCents !== order.amountCents)
    return `Its amount is ${event.amountCents}, and the order's ${order.amountCents}.`;
  if (event.currency !== order.currency) return `Its currency is ${event.currency}, and the order's ${order.currency}.`;
  return null;
}

/**
 * Why an event whose order is not stored here is a problem; null if it is no problem. Other products may be sold on the same
 * account of the processor, and a page whose order was never stored expires; but money that names an order of ours must have
 * that order.
 */
export function unknownOrderProblem(event: SessionEvent | Extract<CardEvent, { kind: "unreadable" }>): string | null {
  const isForeign = event.orderId !== null && !event.orderId.startsWith("ord_");
  if (event.kind === "unreadable") return isForeign ? null : event.problem;
  if (event.kind !== "paid" || event.orderId === null || isForeign) return null;
  return `It pays for order ${event.orderId}, which is not here.`;
}
