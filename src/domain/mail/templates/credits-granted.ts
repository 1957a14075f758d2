import { formatCount } from "../../../platform/format.ts";
import { switchable, type Unsubscribable } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** The mail about an order that the operator has granted: nothing was paid, so that there is no receipt. */
export function creditsGranted(
  notice: Unsubscribable,
  order: { readonly orderId: string; readonly credits: number },
): Mail {
  const { orderId, credits } = order;
  const given = formatCount(credits, "credit");
  return switchable(notice, "receipts", `You were granted ${given} for your Beckon account`, [
    `The operator of this service has granted ${given} to your account. There is nothing to pay.`,
    { link: `${notice.siteUrl}/dashboard/orders/${orderId}`, label: "See the order" },
  ]);
}
