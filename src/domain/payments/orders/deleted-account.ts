import { and, eq, isNotNull } from "drizzle-orm";
import type { PaymentDeps, PaymentLog } from "./deps.ts";

interface AlertDeps extends Pick<PaymentDeps, "db"> {
  readonly log: Pick<PaymentLog, "error">;
}

/**
 * Logs an error if money has moved for an order whose account was deleted since: a late payment, a refund, a dispute. It is
 * booked as any other, gives nothing that can be spent, and has nobody who would ask for it.
 */
export async function alertIfDeleted({ db, log }: AlertDeps, orderId: string): Promise<void> {
  const { orders, accounts } = db.t;
  const isMoved = and(eq(orders.id, orderId), isNotNull(orders.paidAt), isNotNull(accounts.deletedAt));
  const [order] = await db.q
    .select({ status: orders.status, account: accounts.id })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(isMoved);
  if (!order) return;
  log.error({ order: orderId, ...order }, "money has moved for a deleted account; decide whether to give it back");
}
