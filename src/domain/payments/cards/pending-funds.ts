import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Reader } from "../../../../db/engine.ts";
import type { OrderRow } from "../orders/orders.ts";

/**
 * Ids of the given orders that were paid by a delayed method, and whose money has not arrived yet.
 * @param eventTypes types of the events that report such a payment
 */
export async function ordersWithPendingFunds(
  db: Reader,
  orders: readonly Pick<OrderRow, "id" | "status">[],
  eventTypes: readonly string[],
): Promise<ReadonlySet<string>> {
  const pending = orders.filter(({ status }) => status === "pending").map(({ id }) => id);
  if (pending.length === 0) return new Set();
  const { cardEvents, orders: stored } = db.t;
  const completed = await db.q
    .selectDistinct({ id: stored.id })
    .from(stored)
    .innerJoin(cardEvents, eq(cardEvents.orderId, stored.id))
    .where(
      and(
        inArray(stored.id, pending),
        // An order that is completed and paid is no longer pending. One statement decides both, since it may be paid
        // just now.
        eq(stored.status, "pending"),
        inArray(cardEvents.type, [...eventTypes]),
        isNull(cardEvents.problem),
      ),
    );
  return new Set(completed.map(({ id }) => id));
}
