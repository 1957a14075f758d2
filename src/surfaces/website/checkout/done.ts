import { balanceOf } from "../../../domain/ledger/ledger.ts";
import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import { formatCount } from "../../../platform/format.ts";
import { dashboardPage } from "../dashboard/dashboard-page.tsx";
import { PATHS } from "../dashboard/paths.ts";
import { checkoutPath, sandboxPaymentLink, testNotice } from "../dashboard/payment.ts";
import { mcpOauthSnippet, restSnippet } from "../dashboard/snippets.ts";
import { type Html, html } from "../html.ts";
import type { PageRequest, WebsiteServices } from "../page-request.ts";
import { type OwnOrder, ownOrder, showWithoutOrder } from "./own-order.ts";

/** `/checkout/done`: payment pages lead here after the payment, often before it is confirmed to us. */
export async function donePage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const own = await ownOrder(services, request);
  if (!own) return showWithoutOrder(request, "Thank you", WITHOUT_ORDER);
  const { signedIn, order, displayStatus } = own;
  const isPaid = displayStatus === "paid";
  const body = isPaid
    ? nextSteps(await balanceOf(services.db, order.accountId), services.config.siteUrl)
    : statusText(own, services.config.siteUrl);
  const title = isPaid
    ? `Thank you: ${formatCount(order.credits, "credit")} added to your balance`
    : TITLES[displayStatus];
  signedIn.res.set("X-Robots-Tag", "noindex");
  signedIn.show(
    dashboardPage({ section: "orders", title, body: html`${testNotice(order)}${body}${orderLinks(order)}` }),
  );
}

const WITHOUT_ORDER =
  "Credits are added as soon as the payment is confirmed: by card within a minute, by bank transfer after some days.";

const TITLES = {
  open: "Waiting for the confirmation of your payment",
  processing: "Your payment is being processed",
  expired: "This order has expired",
  failed: "The payment failed",
  refunded: "This order was refunded",
  disputed: "This payment is disputed",
} as const;

function nextSteps(balance: number, siteUrl: string): Html {
  return html`<p>Your balance is ${formatCount(balance, "credit")}. Next steps:</p>
<ol>
<li><a href="${PATHS.keys}">Create an API key</a> and submit URLs from a program:
${restSnippet(siteUrl)}</li>
<li>Or use an agent. This adds Beckon to Claude Code:
${mcpOauthSnippet(siteUrl)}</li>
</ol>`;
}

function statusText({ order, displayStatus }: OwnOrder, siteUrl: string): Html {
  const { id, pack, checkoutUrl } = order;
  const retry = html`<p><a href="${PATHS.buy}?pack=${pack}">Try again</a></p>`;
  const reload = html`<p><a href="/checkout/done?order=${id}">Reload this page</a></p>`;
  const pay = checkoutUrl === null ? PATHS.buy : checkoutPath(checkoutUrl, siteUrl);
  if (displayStatus === "open")
    return html`<p>If you have paid, the confirmation takes a few seconds. You do not have to wait here: the credits are added
automatically.</p>
${reload}
<p>If you have not paid yet, <a href="${pay}">continue to payment</a>.</p>`;
  if (displayStatus === "processing")
    return html`<p>You chose a payment method that takes time, such as a bank transfer, which can take some days. The
credits are added as soon as the money arrives; you do not have to wait here.</p>
${reload}
${sandboxPaymentLink(order, siteUrl)}`;
  if (displayStatus === "expired" || displayStatus === "failed")
    return html`<p>No credits were added to your balance.</p>${retry}`;
  return html`<p>Its credits were taken out of your balance.</p>`;
}

function orderLinks({ id }: OrderRow): Html {
  return html`<p><a href="${PATHS.orders}/${id}">View the order</a> or <a href="/dashboard">go to your dashboard</a>.</p>`;
}
