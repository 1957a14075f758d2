import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { OrderRow } from "../orders.ts";

/** Those of the orders that were paid in a way whose money takes days, and has not come yet: their ids. */
export async function awaitedOf(
  db: Reader,
  orders: readonly Pick<OrderRow, "id" | "status">[],
): Promise<ReadonlySet<string>> {
  const pending = orders.filter(({ status }) => status === "pending").map(({ id }) => id);
  if (pending.length === 0) return new Set();
  const { cardEvents } = db.t;
  const completed = await db.q
    .selectDistinct({ orderId: cardEvents.orderId })
    .from(cardEvents)
    // Completed and paid would not be pending any more.
    .where(
      and(
        inArray(cardEvents.orderId, pending),
        eq(cardEvents.type, "checkout.session.completed"),
        isNull(cardEvents.problem),
      ),
    );
  return new Set(completed.map(({ orderId }) => orderId!));
}
