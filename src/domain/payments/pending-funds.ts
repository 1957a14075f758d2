import type { Reader } from "../../../db/engine.ts";
import { ordersWithPendingFunds } from "./cards/pending-funds.ts";
import { CARD_METHODS } from "./find-method.ts";
import type { OrderRow } from "./orders/orders.ts";

/** The ids of the given orders that were paid in a way whose money takes days, and has not come yet. */
export function pendingFundsOf(
  db: Reader,
  orders: readonly Pick<OrderRow, "id" | "status">[],
): Promise<ReadonlySet<string>> {
  return ordersWithPendingFunds(db, orders, EVENT_TYPES);
}

const EVENT_TYPES = [...new Set([...CARD_METHODS.values()].map(({ webhook }) => webhook.pendingFundsType))];
