import { SECOND } from "../../../../platform/clock.ts";
import type { CardEvent, DisputeState } from "../event.ts";

/**
 * Converts an event of Stripe (https://docs.stripe.com/api/events/object) to our own terms. Although it is signed, each
 * field is checked: Stripe changes its objects by API version.
 * @returns null if it is not an event
 */
export function cardEventOf(event: unknown): CardEvent | null {
  const { id, type, livemode, created, data } = fieldsOf(event);
  if (!isName(id) || !isName(type) || typeof livemode !== "boolean") return null;
  const body = TYPES.get(type)?.(fieldsOf(fieldsOf(data).object)) ?? ({ kind: "other" } as const);
  return { id, type, isLive: livemode, createdAt: isTime(created) ? created * SECOND : 0, ...body };
}

type Fields = Readonly<Record<string, unknown>>;
type EventBody<Event = CardEvent> = Event extends CardEvent
  ? Omit<Event, "id" | "type" | "isLive" | "createdAt">
  : never;
type SessionKind = "paid" | "waiting" | "failed" | "expired";

/** The types that are subscribed to at Stripe; any other is recorded, and changes nothing. */
const TYPES: ReadonlyMap<string, (object: Fields) => EventBody> = new Map([
  ["checkout.session.completed", (session) => ofSession(session, COMPLETED[statusOf(session)])],
  ["checkout.session.async_payment_succeeded", (session) => ofSession(session, SUCCEEDED[statusOf(session)])],
  ["checkout.session.async_payment_failed", (session) => ofSession(session, "failed")],
  ["checkout.session.expired", (session) => ofSession(session, "expired")],
  ["charge.refunded", ofCharge],
  ...rows(["refund.created", "refund.updated", "refund.failed", "charge.refund.updated"], ofRefund),
  ...rows(
    ["created", "updated", "funds_withdrawn", "funds_reinstated", "closed"].map((what) => `charge.dispute.${what}`),
    ofDispute,
  ),
]);

function rows(types: readonly string[], read: (object: Fields) => EventBody) {
  return types.map((type) => [type, read] as const);
}

/** By `payment_status`. `no_payment_required` is neither: our pages always have a price. */
const COMPLETED: Readonly<Record<string, SessionKind>> = { paid: "paid", unpaid: "waiting" };
const SUCCEEDED: Readonly<Record<string, SessionKind>> = { paid: "paid" };

function statusOf({ payment_status: status }: Fields): string {
  return typeof status === "string" ? status : "";
}

function ofSession(session: Fields, kind: SessionKind | undefined): EventBody {
  const { id, metadata, client_reference_id: clientReference, payment_intent: payment } = session;
  const { amount_total: amountCents, currency, total_details: details, automatic_tax: automaticTax } = session;
  const { amount_tax: tax } = fieldsOf(details);
  const taxCents = fieldsOf(automaticTax).status === "complete" ? tax : null;
  const { order_id: named = clientReference } = fieldsOf(metadata);
  const orderId = isName(named) ? named : null;
  if (!isName(id)) return { kind: "unreadable", orderId, problem: "Its checkout session cannot be read." };
  // Without an order it is the page of another product, such as a subscription that begins with a trial.
  if (kind === undefined && orderId === null) return { kind: "other" };
  if (kind === undefined)
    return { kind: "unreadable", orderId, problem: "Its checkout session is neither paid nor waiting." };
  return {
    kind,
    reference: id,
    orderId,
    paymentId: idOf(payment),
    amountCents: isCents(amountCents) ? amountCents : null,
    currency: isCurrency(currency) ? currency.toLowerCase() : null,
    taxCents: isCents(taxCents) ? taxCents : null,
  };
}

/** A charge without a PaymentIntent is of another product. */
function ofCharge({ payment_intent: payment, amount_refunded: refundedCents, currency }: Fields): EventBody {
  if (payment === null) return { kind: "other" };
  const paymentId = idOf(payment);
  if (paymentId === null || !isCents(refundedCents) || !isCurrency(currency))
    return { kind: "unreadable", orderId: null, problem: "Its refund cannot be read." };
  return { kind: "refunded", paymentId, refundedCents, currency: currency.toLowerCase() };
}

function ofRefund({ id, payment_intent: payment, amount: cents, currency, status }: Fields): EventBody {
  if (payment === null) return { kind: "other" };
  const paymentId = idOf(payment);
  if (paymentId === null || !isName(id) || !isCents(cents) || !isCurrency(currency))
    return { kind: "unreadable", orderId: null, problem: "Its refund cannot be read." };
  const hasFailed = typeof status === "string" && FAILED_REFUND.has(status);
  return { kind: "refund", paymentId, refundId: id, cents, currency: currency.toLowerCase(), hasFailed };
}

/** By `status` of the Refund object. By any other the money has left or is about to (https://docs.stripe.com/refunds). */
const FAILED_REFUND: ReadonlySet<string> = new Set(["failed", "canceled"]);

function ofDispute({ id, payment_intent: payment, status, balance_transactions: moves }: Fields): EventBody {
  if (payment === null) return { kind: "other" };
  const paymentId = idOf(payment);
  if (paymentId === null || !isName(id) || typeof status !== "string")
    return { kind: "unreadable", orderId: null, problem: "Its dispute cannot be read." };
  // An inquiry of the bank withdraws no money, so no credits are taken back until it becomes a dispute.
  if (INQUIRY.has(status)) return { kind: "other" };
  const state = status === "prevented" ? preventedState(moves) : DISPUTES.get(status);
  if (!state) return { kind: "unreadable", orderId: null, problem: "Its dispute has a status that is not known here." };
  return { kind: "disputed", paymentId, disputeId: id, state };
}

const INQUIRY: ReadonlySet<string> = new Set(["warning_needs_response", "warning_under_review"]);

/** By `status` of the Dispute object, as far as it says where the money is. */
const DISPUTES: ReadonlyMap<string, DisputeState> = new Map([
  ["needs_response", "open"],
  ["under_review", "open"],
  ["appeal_needs_response", "open"],
  ["appeal_under_review", "open"],
  ["won", "won"],
  ["warning_closed", "won"],
  // In older versions of the API. What was given back is counted as a refund.
  ["charge_refunded", "won"],
  ["lost", "lost"],
]);

/** A dispute that was settled before it began: lost if money was withdrawn for it (`balance_transactions`). */
function preventedState(moves: unknown): DisputeState {
  const amounts = (Array.isArray(moves) ? moves : []).map((move) => Number(fieldsOf(move).amount));
  return amounts.reduce((sum, amount) => sum + amount, 0) < 0 ? "lost" : "won";
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** An id, or the object in its place if it was requested (`expand`). */
function idOf(value: unknown): string | null {
  const id = typeof value === "object" ? fieldsOf(value).id : value;
  return isName(id) ? id : null;
}

/** Ids and types are stored and searched for, so only characters of ids are accepted. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\w.:-]{1,255}$/.test(value);
}

function isCents(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_CENTS;
}

/** ISO 4217. */
function isCurrency(value: unknown): value is string {
  return typeof value === "string" && /^[a-z]{3}$/i.test(value);
}

/** Seconds since 1970, before the year 10000. */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 253_402_300_800;
}

/** Fits an integer column of four bytes. */
const MAX_CENTS = 2 ** 31 - 1;
