import { balanceOf } from "../../../domain/ledger/ledger.ts";
import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import { dashboardPage } from "../dashboard/dashboard-page.ts";
import { counted } from "../dashboard/dates.ts";
import { PATHS } from "../dashboard/paths.ts";
import { checkoutPath, sandboxPaymentLink } from "../dashboard/payment.ts";
import { mcpOauthSnippet, restSnippet } from "../dashboard/snippets.ts";
import { type Html, html } from "../html.ts";
import type { PageRequest, WebsiteServices } from "../page-request.ts";
import { type OwnOrder, ownOrder, showWithoutOrder } from "./own-order.ts";

/** `/checkout/done`: where a payer comes back to, often sooner than the word that the money came. */
export async function donePage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const own = await ownOrder(services, request);
  if (!own) return showWithoutOrder(request, "Thank you", TO_STRANGERS);
  const { signedIn, order, displayStatus } = own;
  const isPaid = displayStatus === "paid";
  const body = isPaid
    ? whatNext(await balanceOf(services.db, order.accountId), services.config.siteUrl)
    : howItStands(own, services.config.siteUrl);
  const title = isPaid ? `Thank you: ${counted(order.credits, "credit")} are yours` : TITLES[displayStatus];
  signedIn.res.set("X-Robots-Tag", "noindex");
  signedIn.show(dashboardPage(signedIn, { tab: "orders", title, body: html`${body}${toOrder(order)}` }));
}

const TO_STRANGERS =
  "Credits are given as soon as the payment is confirmed: by card within a minute, by bank transfer after days.";

const TITLES = {
  open: "Waiting for the confirmation of your payment",
  processing: "Your payment is on its way",
  expired: "This order was not paid in time",
  failed: "The payment failed",
  refunded: "This order was refunded",
  disputed: "This payment is in dispute",
} as const;

function whatNext(balance: number, siteUrl: string): Html {
  return html`<p>Your balance is ${counted(balance, "credit")}. What is next?</p>
<ol>
<li><a href="${PATHS.keys}">Create an API key</a>, and submit URLs by program:
${restSnippet(siteUrl)}</li>
<li>Or let an agent do it. This adds Beckon to Claude Code:
${mcpOauthSnippet(siteUrl)}</li>
</ol>`;
}

function howItStands({ order, displayStatus }: OwnOrder, siteUrl: string): Html {
  const { id, pack, checkoutUrl } = order;
  const again = html`<p><a href="${PATHS.buy}?pack=${pack}">Try again</a></p>`;
  const reload = html`<p><a href="/checkout/done?order=${id}">Reload this page</a></p>`;
  const pay = checkoutUrl === null ? PATHS.buy : checkoutPath(checkoutUrl, siteUrl);
  if (displayStatus === "open")
    return html`<p>If you have paid, this takes seconds. You need not wait here: the credits come by themselves.</p>
${reload}
<p>You have not paid? <a href="${pay}">Go on paying</a></p>`;
  if (displayStatus === "processing")
    return html`<p>You have paid in a way that takes its time, some days at a bank. The credits come as soon as the money
does, and you need not wait here.</p>
${reload}
${sandboxPaymentLink(order, siteUrl)}`;
  if (displayStatus === "expired" || displayStatus === "failed")
    return html`<p>None of its credits are in your balance.</p>${again}`;
  return html`<p>Its credits are out of your balance.</p>`;
}

function toOrder({ id }: OrderRow): Html {
  return html`<p><a href="${PATHS.orders}/${id}">The order</a>, <a href="/dashboard">your dashboard</a></p>`;
}
