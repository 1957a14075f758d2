import { and, eq, ne } from "drizzle-orm";
import type { Reader, Tx } from "../../../../db/engine.ts";
import type { Schema } from "../../../../db/schema.ts";
import type { OrderRow } from "../orders/orders.ts";
import type { Money } from "../orders/settle.ts";
import type { DisputeEvent, DisputeState } from "./event.ts";

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

export async function linkPayment(tx: Tx, paymentId: string, orderId: string): Promise<void> {
  await updatePayment(tx, paymentId, { orderId });
}

/** Refunds only grow, so the smaller of two amounts is the older one. */
export async function recordRefund(tx: Tx, payment: CardPaymentRow, cents: number): Promise<CardPaymentRow> {
  return cents > payment.refundedCents ? updatePayment(tx, payment.id, { refundedCents: cents }) : payment;
}

/** What was given back of the card payment of an order, in cents; 0 where no card has paid it. */
export async function refundedCentsOf(db: Reader, orderId: string): Promise<number> {
  const { cardPayments } = db.t;
  const refunded = db.q.select({ cents: cardPayments.refundedCents }).from(cardPayments);
  const [payment] = await refunded.where(eq(cardPayments.orderId, orderId));
  return payment?.cents ?? 0;
}

/** A dispute goes from open to lost or won, and by an appeal from lost to won, and never back. */
const RANKS: Readonly<Record<DisputeState, number>> = { open: 0, lost: 1, won: 2 };

export async function recordDispute(tx: Tx, { disputeId: id, paymentId, state }: DisputeEvent): Promise<void> {
  const { cardDisputes } = tx.t;
  const [known] = await tx.q.select().from(cardDisputes).where(eq(cardDisputes.id, id));
  if (known && RANKS[state] <= RANKS[known.state as DisputeState]) return;
  await tx.q
    .insert(cardDisputes)
    .values({ id, paymentId, state })
    .onConflictDoUpdate({ target: cardDisputes.id, set: { state } })
    .returning();
}

/** What is known of the money of the order that this payment paid. */
export async function moneyOf(tx: Tx, { id, refundedCents }: CardPaymentRow): Promise<Money> {
  const { cardDisputes } = tx.t;
  const [dispute] = await tx.q
    .select()
    .from(cardDisputes)
    .where(and(eq(cardDisputes.paymentId, id), ne(cardDisputes.state, "won")))
    .limit(1);
  return { arrived: true, refundedCents, contested: dispute !== undefined };
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
