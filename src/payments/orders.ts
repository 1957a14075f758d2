import { and, desc, eq } from "drizzle-orm";
import type { Reader, Tx } from "../../db/engine.ts";
import { newId } from "../ids.ts";
import { post } from "../ledger/ledger.ts";
import { CURRENCY, type Pack } from "./prices.ts";

export const ORDER_STATUSES = ["pending", "paid", "expired", "failed", "refunded", "disputed"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** An account is paid while some order of it is: indexing requires it. */
export async function isPaid(db: Reader, accountId: string): Promise<boolean> {
  const { orders } = db.t;
  const [row] = await db.q
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "paid")))
    .limit(1);
  return row !== undefined;
}

/** Books a paid order of the sandbox, by which no money moves. Credits default to the pack's. */
export async function bookSandboxOrder(
  tx: Tx,
  order: { accountId: string; pack: Pack; credits?: number; now: number },
): Promise<string> {
  const id = newId("ord");
  const credits = order.credits ?? order.pack.credits;
  await tx.q.insert(tx.t.orders).values({
    id,
    accountId: order.accountId,
    pack: order.pack.id,
    credits,
    amountCents: order.pack.amountCents,
    currency: CURRENCY,
    method: "sandbox",
    status: "paid",
    checkoutUrl: null,
    transaction: null,
    createdAt: order.now,
    expiresAt: null,
    paidAt: order.now,
  });
  if (credits > 0) {
    await post(tx, {
      accountId: order.accountId,
      kind: "purchase",
      credits,
      source: id,
      orderId: id,
      description: `Sandbox order: ${credits} credits, no money moved`,
      now: order.now,
    });
  }
  return id;
}

export async function orderOf(db: Reader, accountId: string, orderId: string) {
  const { orders } = db.t;
  const [row] = await db.q
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.id, orderId)));
  return row ?? null;
}

/** A page of orders, newest first, and whether there is more. */
export async function ordersOf(
  db: Reader,
  accountId: string,
  page: { status: OrderStatus | "any"; limit: number; offset: number },
) {
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
