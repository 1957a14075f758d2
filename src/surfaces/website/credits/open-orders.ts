import type { Reader } from "../../../../db/engine.ts";
import type { CardProcessor } from "../../../domain/payments/cards/card-processor.ts";
import { type OrderRow, ordersOf } from "../../../domain/payments/orders/orders.ts";
import type { Pack } from "../../../domain/payments/orders/packs.ts";
import { pendingFundsOf } from "../../../domain/payments/pending-funds.ts";
import { HOUR } from "../../../platform/clock.ts";
import { SIZES } from "../../../platform/limits.ts";
import { displayStatusOf } from "./order-status.ts";

/** The orders of an account that can still be paid, by the method in which cards are taken now; newest first. */
export async function openOrdersOf(
  db: Reader,
  { accountId, method, now }: { accountId: string; method: CardProcessor["method"]; now: number },
): Promise<OrderRow[]> {
  const newest = { status: "pending", limit: SIZES.pageLimit, offset: 0 } as const;
  const { rows } = await ordersOf(db, accountId, newest);
  const awaited = await pendingFundsOf(db, rows);
  return rows.filter(
    (order) => order.method === method && displayStatusOf(order, awaited.has(order.id), now) === "open",
  );
}

/** The open order that a second click on a pack continues: the same purchase, with at least an hour left to pay. */
export function reusableOrder(openOrders: readonly OrderRow[], pack: Pack, now: number): OrderRow | undefined {
  return openOrders.find(
    (order) =>
      order.pack === pack.id &&
      order.credits === pack.credits &&
      order.amountCents === pack.amountCents &&
      order.checkoutUrl !== null &&
      order.expiresAt! - now >= HOUR,
  );
}
