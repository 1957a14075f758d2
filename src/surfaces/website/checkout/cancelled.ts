import { frame } from "../dashboard/dashboard-page.ts";
import { distance, figure, when } from "../dashboard/dates.ts";
import { MONEY } from "../dashboard/order-nav.ts";
import { checkoutPath } from "../dashboard/payment.ts";
import { html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import type { SiteServices, Visit } from "../page-request.ts";
import { ownOrder, showToStranger } from "./own-order.ts";

/** `/checkout/cancelled`: where a payer comes back to who has not paid. */
export async function cancelledPage(services: SiteServices, visit: Visit): Promise<void> {
  const own = await ownOrder(services, visit);
  if (!own) return showToStranger(visit, "You have left the payment page", TO_STRANGERS);
  const { owner, order, standing } = own;
  const { id, pack, credits, amountCents, checkoutUrl, expiresAt } = order;
  // It was paid after all, or its time is over.
  if (standing !== "payable") return owner.go(`/checkout/done?order=${id}`);
  const body = html`<p>Nothing was paid. ${packName(pack)}, ${figure(credits)} credits for ${dollars(amountCents)}, stays
open until ${when(expiresAt)}, and closes by itself ${distance(expiresAt!, visit.now)}.</p>
<ul>
<li><a href="${checkoutPath(checkoutUrl!, services.config.siteUrl)}">Go on paying</a></li>
<li><a href="${MONEY.buy}">Choose another pack</a></li>
<li><a href="/dashboard">Back to your dashboard</a></li>
</ul>`;
  owner.res.set("X-Robots-Tag", "noindex");
  owner.show(frame(owner, { tab: "orders", title: "You have not paid", body }));
}

const TO_STRANGERS = "If you did not pay there, nothing was paid.";
