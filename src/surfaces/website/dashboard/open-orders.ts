import type { Reader } from "../../../../db/engine.ts";
import type { Cards } from "../../../domain/payments/cards/card-processor.ts";
import { awaitedOf } from "../../../domain/payments/cards/pending-funds.ts";
import { type OrderRow, ordersOf } from "../../../domain/payments/orders/orders.ts";
import type { Pack } from "../../../domain/payments/orders/prices.ts";
import { HOUR } from "../../../platform/clock.ts";
import { SIZES } from "../../../platform/limits.ts";
import { displayStatusOf } from "../checkout/order-status.ts";

/** Orders of an account that wait for their payer, where cards are taken as they are now; newest first. */
export async function openOrdersOf(
  db: Reader,
  { accountId, method, now }: { accountId: string; method: Cards["method"]; now: number },
): Promise<OrderRow[]> {
  const newest = { status: "pending", limit: SIZES.pageLimit, offset: 0 } as const;
  const { rows } = await ordersOf(db, accountId, newest);
  const awaited = await awaitedOf(db, rows);
  return rows.filter(
    (order) => order.method === method && displayStatusOf(order, awaited.has(order.id), now) === "open",
  );
}

/** Of those the one that a second click on a pack goes on with: the same purchase, with time left to pay it. */
export function reusableOrder(begun: readonly OrderRow[], pack: Pack, now: number): OrderRow | undefined {
  return begun.find(
    (order) =>
      order.pack === pack.id &&
      order.credits === pack.credits &&
      order.amountCents === pack.amountCents &&
      order.checkoutUrl !== null &&
      order.expiresAt! - now >= HOUR,
  );
}
