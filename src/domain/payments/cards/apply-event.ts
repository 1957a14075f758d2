import { eq, or } from "drizzle-orm";
import type { Reader, Tx } from "../../../../db/engine.ts";
import { alertIfDeleted } from "../orders/deleted-account.ts";
import type { OrderRow } from "../orders/orders.ts";
import { CURRENCY } from "../orders/packs.ts";
import { type Cause, closeOrder, type Money, settleOrder } from "../orders/settle.ts";
import {
  lockOrder,
  lockPayment,
  moneyOf,
  otherPaymentOf,
  recordArrival,
  recordDispute,
  recordFailure,
  recordRefund,
  recordRefunds,
} from "./card-payment.ts";
import type { CardProcessor } from "./card-processor.ts";
import type { CardDeps } from "./deps.ts";
import type { CardEvent, DisputeEvent, RefundEvent, RefundsEvent, SessionEvent } from "./event.ts";
import { type EventOutcome, mismatchOf, unknownOrderProblem, wrongMode } from "./mismatch.ts";

/**
 * Applies an event of the card processor in one transaction: records it with what it says of the money, and settles the
 * order, its credits and the ledger. An event that comes again changes nothing, and events may come in any order: each
 * adds to what is known, and the order follows from that (`settleOrder`). An event that does not fit its order is
 * recorded with the problem, and changes nothing else.
 */
export async function applyCardEvent(deps: CardDeps, event: CardEvent): Promise<void> {
  const { db, clock, payments, log } = deps;
  const now = clock.now();
  const cards = payments.cards!;
  const outcome = await db.tx(async (tx) => {
    if (!(await recordNew(tx, event, now))) return NO_CHANGE;
    const outcome = wrongMode(event, cards.isLive) ?? (await applyToOrder(tx, event, cards, now));
    await recordOutcome(tx, event.id, outcome);
    return outcome;
  });
  const { orderId: order, problem, alert } = outcome;
  const facts = { event: event.id, type: event.type, order };
  if (problem !== null) log.error(facts, `an event of the card processor moved nothing. ${problem}`);
  else if (order !== null) await alertIfDeleted(deps, order);
  if (alert !== undefined) log.error(facts, alert);
}

const NO_CHANGE: EventOutcome = { orderId: null, problem: null };

async function recordNew(tx: Tx, { id, type }: CardEvent, now: number): Promise<boolean> {
  const row = { id, type, orderId: null, problem: null, at: now };
  const rows = await tx.q.insert(tx.t.cardEvents).values(row).onConflictDoNothing().returning();
  return rows.length > 0;
}

async function recordOutcome(tx: Tx, eventId: string, { orderId, problem }: EventOutcome): Promise<void> {
  const { cardEvents } = tx.t;
  await tx.q.update(cardEvents).set({ orderId, problem }).where(eq(cardEvents.id, eventId)).returning();
}

function applyToOrder(
  tx: Tx,
  event: CardEvent,
  cards: CardProcessor,
  now: number,
): EventOutcome | Promise<EventOutcome> {
  if (event.kind === "other") return NO_CHANGE;
  if (event.kind === "unreadable") return { orderId: null, problem: unknownOrderProblem(event) };
  if (event.kind === "refunded" || event.kind === "refund") return applyRefund(tx, event, now);
  if (event.kind === "disputed") return applyDispute(tx, event, now);
  return applySession(tx, event, cards, now);
}

async function applySession(tx: Tx, event: SessionEvent, cards: CardProcessor, now: number): Promise<EventOutcome> {
  const order = await orderFor(tx, event);
  if (!order) return { orderId: null, problem: unknownOrderProblem(event) };
  const { id: source, taxCents } = event;
  const cause = { source, now, isTest: !cards.isLive, purchase: cards.describePurchase?.(order), taxCents };
  const problem =
    mismatchOf(order, event, cards.method) ??
    (event.kind === "paid" ? await applyPayment(tx, event, order, cause) : null);
  if (!problem && event.kind === "expired") await closeOrder(tx, order.id, "expired");
  if (!problem && event.kind === "failed") await applyFailure(tx, event, order, cause);
  return { orderId: order.id, problem };
}

/** The order that has this payment page; if there is none, the one that the page names. */
async function orderFor(db: Reader, { reference, orderId }: SessionEvent): Promise<OrderRow | null> {
  const { orders } = db.t;
  const named = orderId === null ? undefined : eq(orders.id, orderId);
  const rows = await db.q
    .select()
    .from(orders)
    .where(or(eq(orders.reference, reference), named));
  return rows.find((row) => row.reference === reference) ?? rows[0] ?? null;
}

/** @returns why the payment does not belong to the order; null: it does */
async function applyPayment(tx: Tx, event: SessionEvent, { id }: OrderRow, cause: Cause): Promise<string | null> {
  const payment = event.paymentId === null ? null : await lockPayment(tx, event.paymentId);
  const order = await lockOrder(tx, id);
  if (!payment) {
    if (order.paidAt === null) await settleOrder(tx, order, JUST_ARRIVED, cause);
    return null;
  }
  if (payment.orderId !== null && payment.orderId !== id) return `Its payment belongs to order ${payment.orderId}.`;
  const other = await otherPaymentOf(tx, id, payment.id);
  if (other) return `Its order was paid before, by payment ${other.id}; give this one back.`;
  const linked = await recordArrival(tx, payment, { orderId: id, createdAt: event.createdAt });
  // It came, whatever has become of it since.
  const paid = order.paidAt === null ? await settleOrder(tx, order, JUST_ARRIVED, cause) : order;
  await settleOrder(tx, paid, await moneyOf(tx, linked), cause);
  return null;
}

const JUST_ARRIVED: Money = { arrived: true, refundedCents: 0, contested: false };

/** A payment on the way has failed. If it had arrived before, its credits are taken back. */
async function applyFailure(tx: Tx, event: SessionEvent, { id }: OrderRow, cause: Cause): Promise<void> {
  if (event.paymentId !== null) {
    const payment = await recordFailure(tx, await lockPayment(tx, event.paymentId), event.createdAt);
    if (payment.orderId === id) await settleOrder(tx, await lockOrder(tx, id), await moneyOf(tx, payment), cause);
  }
  await closeOrder(tx, id, "failed");
}

async function applyRefund(tx: Tx, event: RefundsEvent | RefundEvent, now: number): Promise<EventOutcome> {
  const payment = await lockPayment(tx, event.paymentId);
  const order = payment.orderId === null ? null : await lockOrder(tx, payment.orderId);
  if (event.currency !== (order?.currency ?? CURRENCY)) {
    // Before its order is known, this is most likely a payment of another product.
    return { orderId: payment.orderId, problem: order && `It gives back ${event.currency}, not ${order.currency}.` };
  }
  const isFailure = event.kind === "refund" && (await recordRefund(tx, event, now));
  const noted = event.kind === "refunded" ? await recordRefunds(tx, payment, event) : payment;
  if (order) await settleOrder(tx, order, await moneyOf(tx, noted), { source: event.id, now });
  return { orderId: payment.orderId, problem: null, ...(order && isFailure ? { alert: REFUND_FAILED } : {}) };
}

const REFUND_FAILED =
  "a refund has failed: the money is with you again, and the credits with the customer; give it back in another way";

async function applyDispute(tx: Tx, event: DisputeEvent, now: number): Promise<EventOutcome> {
  const payment = await lockPayment(tx, event.paymentId);
  await recordDispute(tx, event);
  const order = payment.orderId === null ? null : await lockOrder(tx, payment.orderId);
  if (order) await settleOrder(tx, order, await moneyOf(tx, payment), { source: event.id, now });
  return { orderId: payment.orderId, problem: null };
}
