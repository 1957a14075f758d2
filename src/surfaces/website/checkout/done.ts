import { balanceOf } from "../../../domain/ledger/ledger.ts";
import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import { frame, PATHS } from "../dashboard/dashboard-page.ts";
import { counted } from "../dashboard/dates.ts";
import { MONEY } from "../dashboard/order-nav.ts";
import { checkoutPath, decideAt } from "../dashboard/payment.ts";
import { agentLines, keyLines } from "../dashboard/snippets.ts";
import { type Html, html } from "../html.ts";
import type { SiteServices, Visit } from "../page-request.ts";
import { type OwnOrder, ownOrder, showToStranger } from "./own-order.ts";

/** `/checkout/done`: where a payer comes back to, often sooner than the word that the money came. */
export async function donePage(services: SiteServices, visit: Visit): Promise<void> {
  const own = await ownOrder(services, visit);
  if (!own) return showToStranger(visit, "Thank you", TO_STRANGERS);
  const { owner, order, standing } = own;
  const isPaid = standing === "paid";
  const body = isPaid
    ? whatNext(await balanceOf(services.db, order.accountId), services.config.siteUrl)
    : howItStands(own, services.config.siteUrl);
  const title = isPaid ? `Thank you: ${counted(order.credits, "credit")} are yours` : TITLES[standing];
  owner.res.set("X-Robots-Tag", "noindex");
  owner.show(frame(owner, { tab: "orders", title, body: html`${body}${toOrder(order)}` }));
}

const TO_STRANGERS =
  "Credits are given as soon as the payment is confirmed: by card within a minute, by bank transfer after days.";

const TITLES = {
  payable: "Waiting for the confirmation of your payment",
  awaited: "Your payment is on its way",
  over: "This order was not paid in time",
  failed: "The payment failed",
  refunded: "This order was refunded",
  disputed: "This payment is in dispute",
} as const;

function whatNext(balance: number, siteUrl: string): Html {
  return html`<p>Your balance is ${counted(balance, "credit")}. What is next?</p>
<ol>
<li><a href="${PATHS.keys}">Create an API key</a>, and submit URLs by program:
${keyLines(siteUrl)}</li>
<li>Or let an agent do it. This adds Beckon to Claude Code:
${agentLines(siteUrl)}</li>
</ol>`;
}

function howItStands({ order, standing }: OwnOrder, siteUrl: string): Html {
  const { id, pack, checkoutUrl } = order;
  const again = html`<p><a href="${MONEY.buy}?pack=${pack}">Try again</a></p>`;
  const reload = html`<p><a href="/checkout/done?order=${id}">Reload this page</a></p>`;
  const pay = checkoutUrl === null ? MONEY.buy : checkoutPath(checkoutUrl, siteUrl);
  if (standing === "payable")
    return html`<p>If you have paid, this takes seconds. You need not wait here: the credits come by themselves.</p>
${reload}
<p>You have not paid? <a href="${pay}">Go on paying</a></p>`;
  if (standing === "awaited")
    return html`<p>You have paid in a way that takes its time, some days at a bank. The credits come as soon as the money
does, and you need not wait here.</p>
${reload}
${decideAt(order, siteUrl)}`;
  if (standing === "over" || standing === "failed")
    return html`<p>None of its credits are in your balance.</p>${again}`;
  return html`<p>Its credits are out of your balance.</p>`;
}

function toOrder({ id }: OrderRow): Html {
  return html`<p><a href="${PATHS.orders}/${id}">The order</a>, <a href="/dashboard">your dashboard</a></p>`;
}
