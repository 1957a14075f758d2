import { iso } from "../../../platform/clock.ts";
import { formatCount, formatDollars, formatNumber } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** The mail that credits of an order were taken back. @param at real time */
export function orderRefunded(notice: Unsubscribable, order: EventData["order.refunded"], at: number): Mail {
  const { order_id: id, credits_taken_back: takenBack } = order;
  const taken = formatCount(takenBack, "credit");
  return switchable(notice, "receipts", `${REFUND_SUBJECTS[order.status] ?? "Credits taken back"}: ${taken}`, [
    `${REFUND_CAUSES[order.status] ?? "A part of the payment was returned."} Of the ${formatCount(order.credits, "credit")} of this order, ${formatNumber(takenBack)} were taken out of your balance.`,
    { facts: orderFacts(order, ["Changed on", `${iso(at).slice(0, 10)} (UTC)`]) },
    { link: `${notice.siteUrl}/dashboard/orders/${id}`, label: "See the order" },
  ]);
}

const REFUND_SUBJECTS: Readonly<Record<string, string>> = {
  refunded: "Refund",
  disputed: "Disputed payment",
  failed: "Failed payment",
};

const REFUND_CAUSES: Readonly<Record<string, string>> = {
  refunded: "Your payment was refunded.",
  disputed:
    "Your payment is disputed at your bank. If the dispute is decided in our favour, the credits are added again.",
  failed: "Your payment did not arrive after all.",
};

function orderFacts(
  { order_id: id, credits, amount_cents: cents }: EventData["order.paid"],
  day: readonly [string, string],
): readonly (readonly [string, string])[] {
  return [["Order", id], day, ["Credits", formatNumber(credits)], ["Price", formatDollars(cents)]];
}
