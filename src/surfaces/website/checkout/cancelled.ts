import { packName } from "../../../domain/payments/orders/prices.ts";
import { formatDollars, formatNumber } from "../../../platform/format.ts";
import { dashboardPage } from "../dashboard/dashboard-page.tsx";
import { relativeTime, timeElement } from "../dashboard/dates.ts";
import { PATHS } from "../dashboard/paths.ts";
import { checkoutPath, testNotice } from "../dashboard/payment.ts";
import { html } from "../html.ts";
import type { PageRequest, WebsiteServices } from "../page-request.ts";
import { ownOrder, showWithoutOrder } from "./own-order.ts";

/** `/checkout/cancelled`: payment pages lead here when the payer leaves without paying. */
export async function cancelledPage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const own = await ownOrder(services, request);
  if (!own) return showWithoutOrder(request, "You have left the payment page", WITHOUT_ORDER);
  const { signedIn, order, displayStatus } = own;
  const { id, pack, credits, amountCents, checkoutUrl, expiresAt } = order;
  // It was paid after all, or has expired.
  if (displayStatus !== "open") return signedIn.redirect(`/checkout/done?order=${id}`);
  const body = html`${testNotice(order)}<p>Nothing was charged. You can still pay for ${packName(pack)}, ${formatNumber(credits)} credits for
${formatDollars(amountCents)}, until ${timeElement(expiresAt)} (${relativeTime(expiresAt!, request.now)}). Then the order expires.</p>
<ul>
<li><a href="${checkoutPath(checkoutUrl!, services.config.siteUrl)}">Continue to payment</a></li>
<li><a href="${PATHS.buy}">Choose another pack</a></li>
<li><a href="/dashboard">Back to your dashboard</a></li>
</ul>`;
  signedIn.res.set("X-Robots-Tag", "noindex");
  signedIn.show(dashboardPage({ section: "orders", title: "You have not paid", body }));
}

const WITHOUT_ORDER = "If you did not pay there, nothing was charged.";
