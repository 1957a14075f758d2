import { HOUR } from "../../../platform/clock.ts";
import type { Order, Pack } from "./domain.ts";

/** The open order that a second click on a pack continues: the same purchase, with at least an hour left to pay. */
export function reusableOrder(openOrders: readonly Order[], pack: Pack, now: number): Order | undefined {
  return openOrders.find(
    (order) =>
      order.pack === pack.id &&
      order.credits === pack.credits &&
      order.amountCents === pack.amountCents &&
      order.checkoutUrl !== null &&
      order.expiresAt! - now >= HOUR,
  );
}
