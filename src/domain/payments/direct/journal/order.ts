import { count, eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../../../db/engine.ts";
import type { OrderRow, Transaction } from "../../orders/orders.ts";
import type { Cause } from "../../orders/settle.ts";

export async function orderById(db: Reader, id: string): Promise<OrderRow> {
  const [order] = await db.q.select().from(db.t.orders).where(eq(db.t.orders.id, id));
  return order!;
}

/** Stores which transaction the transfer of an order is in now. */
export async function setTransaction(tx: Tx, id: string, transaction: Transaction): Promise<OrderRow> {
  const { orders } = tx.t;
  const [order] = await tx.q
    .update(orders)
    .set({ transaction: JSON.stringify(transaction) })
    .where(eq(orders.id, id))
    .returning();
  return order!;
}

/**
 * The cause of a ledger entry about an order's transfer. The same transaction can vanish and land more than once, so
 * that the cause counts the entries before it.
 */
export async function transferCause(tx: Tx, { id }: OrderRow, event: string, now: number): Promise<Cause> {
  const { ledger } = tx.t;
  const [entries] = await tx.q.select({ before: count() }).from(ledger).where(eq(ledger.orderId, id));
  return { source: `${event}/${entries!.before}`, now };
}
