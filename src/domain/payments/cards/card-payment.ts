import { and, eq, ne } from "drizzle-orm";
import type { Reader, Tx } from "../../../../db/engine.ts";
import type { Schema } from "../../../../db/schema.ts";
import type { OrderRow } from "../orders/orders.ts";
import type { Money } from "../orders/settle.ts";
import type { DisputeEvent, DisputeState, RefundEvent, RefundsEvent } from "./event.ts";

export type CardPaymentRow = Schema["cardPayments"]["$inferSelect"];

/**
 * Reads a payment, which is inserted if it is new, and locks it: every other transaction about this payment waits, so that none
 * decides by a part of what is known.
 */
export async function lockPayment(tx: Tx, id: string): Promise<CardPaymentRow> {
  const { cardPayments } = tx.t;
  const [payment] = await tx.q
    .insert(cardPayments)
    .values({ id, orderId: null, refundedCents: 0 })
    .onConflictDoUpdate({ target: cardPayments.id, set: { id } })
    .returning();
  return payment!;
}

/** Another payment that an order was paid by. */
export async function otherPaymentOf(tx: Tx, orderId: string, paymentId: string): Promise<CardPaymentRow | null> {
  const { cardPayments } = tx.t;
  const [other] = await tx.q
    .select()
    .from(cardPayments)
    .where(and(eq(cardPayments.orderId, orderId), ne(cardPayments.id, paymentId)));
  return other ?? null;
}

/** Records that a payment arrived, for this order. */
export async function recordArrival(
  tx: Tx,
  payment: CardPaymentRow,
  { orderId, createdAt }: { orderId: string; createdAt: number },
): Promise<CardPaymentRow> {
  return updatePayment(tx, payment.id, { orderId, arrivedAt: Math.max(payment.arrivedAt, createdAt) });
}

/** Records that a payment failed, before it arrived or after. */
export async function recordFailure(tx: Tx, payment: CardPaymentRow, createdAt: number): Promise<CardPaymentRow> {
  return updatePayment(tx, payment.id, { failedAt: Math.max(payment.failedAt, createdAt) });
}

/** Records what all refunds of a payment come to. Of two statements of the same second the larger one is later. */
export async function recordRefunds(
  tx: Tx,
  payment: CardPaymentRow,
  { refundedCents, createdAt: refundedAt }: RefundsEvent,
): Promise<CardPaymentRow> {
  const isLater =
    refundedAt === payment.refundedAt ? refundedCents > payment.refundedCents : refundedAt > payment.refundedAt;
  return isLater ? updatePayment(tx, payment.id, { refundedCents, refundedAt }) : payment;
}

/** Records one refund. @returns whether it is new that this refund failed */
export async function recordRefund(tx: Tx, event: RefundEvent, now: number): Promise<boolean> {
  const { cardRefunds } = tx.t;
  const { refundId: id, paymentId, cents, hasFailed, createdAt } = event;
  const [known] = await tx.q.select().from(cardRefunds).where(eq(cardRefunds.id, id));
  const failedAt = hasFailed ? Math.min(createdAt, known?.failedAt ?? createdAt) : (known?.failedAt ?? null);
  const failureHeardAt = known?.failureHeardAt ?? (hasFailed ? now : null);
  await tx.q
    .insert(cardRefunds)
    .values({ id, paymentId, cents, failedAt, failureHeardAt })
    .onConflictDoUpdate({ target: cardRefunds.id, set: { failedAt, failureHeardAt } })
    .returning();
  return hasFailed && (known?.failedAt ?? null) === null;
}

/**
 * What is given back of a payment: the refunds that stand. What the processor last said of all together counts too, less what
 * failed since, because not every refund may have been named.
 */
async function refundedOf(db: Reader, { id, refundedCents, refundedAt }: CardPaymentRow): Promise<number> {
  const { cardRefunds } = db.t;
  const refunds = await db.q.select().from(cardRefunds).where(eq(cardRefunds.paymentId, id));
  const standing = refunds.filter(({ failedAt }) => failedAt === null);
  const failedSince = refunds.filter(({ failedAt }) => failedAt !== null && failedAt >= refundedAt);
  return Math.max(sumOf(standing), refundedCents - sumOf(failedSince));
}

function sumOf(refunds: readonly { readonly cents: number }[]): number {
  return refunds.reduce((sum, { cents }) => sum + cents, 0);
}

/** What was given back of the card payment of an order, in cents; 0 where no card has paid it. */
export async function refundedCentsOf(db: Reader, orderId: string): Promise<number> {
  const { cardPayments } = db.t;
  const [payment] = await db.q.select().from(cardPayments).where(eq(cardPayments.orderId, orderId));
  return payment ? refundedOf(db, payment) : 0;
}

/** Of two states of a dispute of the same second the one of the higher rank is later. */
const RANKS: Readonly<Record<DisputeState, number>> = { open: 0, lost: 1, won: 2 };

export async function recordDispute(tx: Tx, event: DisputeEvent): Promise<void> {
  const { cardDisputes } = tx.t;
  const { disputeId: id, paymentId, state, createdAt: saidAt } = event;
  const [known] = await tx.q.select().from(cardDisputes).where(eq(cardDisputes.id, id));
  const isLater =
    !known || (saidAt === known.saidAt ? RANKS[state] > RANKS[known.state as DisputeState] : saidAt > known.saidAt);
  if (!isLater) return;
  await tx.q
    .insert(cardDisputes)
    .values({ id, paymentId, state, saidAt })
    .onConflictDoUpdate({ target: cardDisputes.id, set: { state, saidAt } })
    .returning();
}

/** What is known of the money of the order that this payment paid. */
export async function moneyOf(tx: Tx, payment: CardPaymentRow): Promise<Money> {
  const { cardDisputes } = tx.t;
  const [dispute] = await tx.q
    .select()
    .from(cardDisputes)
    .where(and(eq(cardDisputes.paymentId, payment.id), ne(cardDisputes.state, "won")))
    .limit(1);
  return {
    arrived: payment.arrivedAt >= payment.failedAt,
    refundedCents: await refundedOf(tx, payment),
    contested: dispute !== undefined,
  };
}

/** Reads an order and locks it until the end of the transaction. */
export async function lockOrder(tx: Tx, id: string): Promise<OrderRow> {
  const { orders } = tx.t;
  const [order] = await tx.q.update(orders).set({ id }).where(eq(orders.id, id)).returning();
  return order!;
}

async function updatePayment(tx: Tx, id: string, set: Partial<CardPaymentRow>): Promise<CardPaymentRow> {
  const { cardPayments } = tx.t;
  const [payment] = await tx.q.update(cardPayments).set(set).where(eq(cardPayments.id, id)).returning();
  return payment!;
}
