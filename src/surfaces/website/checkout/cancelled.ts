import { dashboardPage } from "../dashboard/dashboard-page.ts";
import { figure, relativeTime, timeElement } from "../dashboard/dates.ts";
import { PATHS } from "../dashboard/paths.ts";
import { checkoutPath } from "../dashboard/payment.ts";
import { html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import type { PageRequest, WebsiteServices } from "../page-request.ts";
import { ownOrder, showWithoutOrder } from "./own-order.ts";

/** `/checkout/cancelled`: where a payer comes back to who has not paid. */
export async function cancelledPage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const own = await ownOrder(services, request);
  if (!own) return showWithoutOrder(request, "You have left the payment page", TO_STRANGERS);
  const { signedIn, order, displayStatus } = own;
  const { id, pack, credits, amountCents, checkoutUrl, expiresAt } = order;
  // It was paid after all, or its time is over.
  if (displayStatus !== "open") return signedIn.redirect(`/checkout/done?order=${id}`);
  const body = html`<p>Nothing was paid. ${packName(pack)}, ${figure(credits)} credits for ${dollars(amountCents)}, stays
open until ${timeElement(expiresAt)}, and closes by itself ${relativeTime(expiresAt!, request.now)}.</p>
<ul>
<li><a href="${checkoutPath(checkoutUrl!, services.config.siteUrl)}">Go on paying</a></li>
<li><a href="${PATHS.buy}">Choose another pack</a></li>
<li><a href="/dashboard">Back to your dashboard</a></li>
</ul>`;
  signedIn.res.set("X-Robots-Tag", "noindex");
  signedIn.show(dashboardPage(signedIn, { tab: "orders", title: "You have not paid", body }));
}

const TO_STRANGERS = "If you did not pay there, nothing was paid.";
