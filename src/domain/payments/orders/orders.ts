import { and, type Column, desc, eq, like, type Placeholder, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../../db/engine.ts";
import type { Schema } from "../../../../db/schema.ts";
import { newId } from "../../../platform/ids.ts";
import { CURRENCY, type Pack } from "./packs.ts";

export const ORDER_STATUSES = ["pending", "paid", "expired", "failed", "refunded", "disputed"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type OrderRow = Schema["orders"]["$inferSelect"];

export function newOrderId(): string {
  return newId("ord");
}

export interface NewOrder {
  /** Default: a new one. */
  readonly id?: string;
  readonly accountId: string;
  readonly pack: Pick<Pack, "credits" | "amountCents"> & { readonly id: string };
  /** Default: the credits of the pack. */
  readonly credits?: number;
  /** A key of `PAYMENT_METHODS`. */
  readonly method: string;
  readonly now: number;
  /** The payment page, what the processor calls it, and until when it is open. */
  readonly checkout?: { readonly url: string; readonly reference: string; readonly expiresAt: number };
  readonly transaction?: Transaction;
  /** Who buys, as the ledger names it. */
  readonly credential?: string | null;
}

/** Where the transfer of a direct payment is on its chain. */
export interface Transaction {
  readonly network: string;
  readonly hash: string;
  readonly payer: string;
  /** Base units. */
  readonly amount: string;
  /** Address of the token. */
  readonly currency: string;
}

/** Stores an order that is not paid yet. */
export async function openOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  const { id = newOrderId(), accountId, pack, credits = pack.credits, method, now, checkout, transaction } = order;
  const { credential = null } = order;
  const [row] = await tx.q
    .insert(tx.t.orders)
    .values({
      id,
      accountId,
      pack: pack.id,
      credits,
      amountCents: pack.amountCents,
      currency: CURRENCY,
      method,
      status: "pending",
      checkoutUrl: checkout?.url ?? null,
      transaction: transaction ? JSON.stringify(transaction) : null,
      createdAt: now,
      expiresAt: checkout?.expiresAt ?? null,
      paidAt: null,
      reference: checkout?.reference ?? null,
      credential,
    })
    .returning();
  return row!;
}

/** Whether one of its orders is paid, which indexing requires. */
export async function isPaid(db: Reader, accountId: string): Promise<boolean> {
  const query = db.prepared("is_paid", (one) => paidOrders(one, sql.placeholder("accountId")).limit(1));
  return (await query.execute({ accountId })).length > 0;
}

/** The query of the paid orders of an account. @param accountId a column, or the placeholder of a value */
export function paidOrders({ q, t: { orders } }: Pick<Reader, "q" | "t">, accountId: Column | Placeholder) {
  return q
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "paid")));
}

export async function orderOf(db: Reader, accountId: string, orderId: string): Promise<OrderRow | null> {
  const { orders } = db.t;
  const [row] = await db.q
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.id, orderId)));
  return row ?? null;
}

/** The orders whose id begins with a text, newest first; none for a text that is no beginning of an id of an order. */
export async function ordersLike(db: Reader, accountId: string, text: string, limit: number): Promise<OrderRow[]> {
  if (!/^ord_[0-9a-z]*$/.test(text)) return [];
  const { orders } = db.t;
  const isLike = and(eq(orders.accountId, accountId), like(orders.id, `${text}%`));
  return db.q.select().from(orders).where(isLike).orderBy(desc(orders.createdAt), desc(orders.id)).limit(limit);
}

/** A page of orders, newest first, and whether there is more. */
export async function ordersOf(
  db: Reader,
  accountId: string,
  page: { status: OrderStatus | "any"; limit: number; offset: number },
): Promise<{ rows: OrderRow[]; hasMore: boolean }> {
  const { orders } = db.t;
  const rows = await db.q
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), page.status === "any" ? undefined : eq(orders.status, page.status)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(page.limit + 1)
    .offset(page.offset);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}
