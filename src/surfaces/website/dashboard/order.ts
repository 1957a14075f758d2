import { type OrderRow, orderOf, type Transaction } from "../../../domain/payments/orders/orders.ts";
import { packName } from "../../../domain/payments/orders/prices.ts";
import { pendingFundsOf } from "../../../domain/payments/pending-funds.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatDollars, formatNumber } from "../../../platform/format.ts";
import { hasControl } from "../../../platform/text.ts";
import { type DisplayStatus, displayStatusOf, displayStatusText } from "../checkout/order-status.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { relativeTime, timeElement } from "./dates.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { methodLabel, payLink, sandboxPaymentLink, testNotice, transactionLink, transactionOf } from "./payment.ts";

/** `/dashboard/orders/:id` */
export async function orderPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  const order = hasControl(id) ? null : await orderOf(db, request.session.accountId, id);
  if (!order) throw new Refusal("not_found", "Your account has no such order. The dashboard lists all that it has.");
  const displayStatus = displayStatusOf(order, (await pendingFundsOf(db, [order])).has(order.id), request.now);
  const body = html`${orderNav()}
${testNotice(order)}
${facts(order, displayStatus, request.now)}
<p>${nextStep(order, displayStatus, config.siteUrl)}</p>
${displayStatus === "processing" ? sandboxPaymentLink(order, config.siteUrl) : ""}`;
  const title = `${packName(order.pack)}: ${formatNumber(order.credits)} credits`;
  request.show(dashboardPage({ section: "orders", title, body }));
}

function facts(order: OrderRow, displayStatus: DisplayStatus, now: number): Html {
  const { id, credits, takenBack, amountCents, createdAt, expiresAt, paidAt } = order;
  const transaction = transactionOf(order);
  const rows: readonly (readonly [string, string | Html])[] = [
    ["ID", html`<code>${id}</code>`],
    ["Status", displayStatusText(order, displayStatus)],
    ["Credits", formatNumber(credits)],
    ...(takenBack > 0 ? ([["Credits taken back", formatNumber(takenBack)]] as const) : []),
    ["Price", formatDollars(amountCents)],
    ["Payment method", methodLabel(order)],
    ...(transaction === null ? [] : onChain(transaction)),
    ["Created", html`${timeElement(createdAt)} <span class="soft">${relativeTime(createdAt, now)}</span>`],
    ...(displayStatus === "open" ? ([["Expires", timeElement(expiresAt)]] as const) : []),
    ["Paid", timeElement(paidAt, "not yet")],
  ];
  return html`<dl class="facts">${rows.map(
    ([name, value]) => html`<dt>${name}</dt>
<dd>${value}</dd>\n`,
  )}</dl>`;
}

function onChain(transaction: Transaction): (readonly [string, Html])[] {
  const { network, payer, amount, currency } = transaction;
  return [
    ["Transaction", transactionLink(transaction)],
    ["Payer", html`<code>${payer}</code>`],
    ["Token", html`${amount} base units of <code>${currency}</code> on <code>${network}</code>`],
  ];
}

function nextStep(order: OrderRow, displayStatus: DisplayStatus, siteUrl: string): Html {
  const again = html`<a href="${PATHS.buy}?pack=${order.pack}">Buy this pack again</a>`;
  const texts: Readonly<Record<DisplayStatus, Html>> = {
    open: html`${payLink(order, siteUrl)} before the order expires.`,
    processing: html`The payment is being processed. The credits are added as soon as the money arrives.`,
    expired: html`Nothing was paid in time. ${again}.`,
    paid: html`See your <a href="${PATHS.ledger}">credit history</a>, or <a href="${PATHS.buy}">buy more credits</a>.`,
    failed: html`No credits were added to your balance, or they were taken back. ${again}.`,
    refunded: html`The payment was refunded, and its credits were taken out of your balance. ${again}.`,
    disputed: html`The payment is disputed at your bank, and its credits were taken out of your balance. If the
dispute is decided in our favour, they are added again.`,
  };
  return texts[displayStatus];
}
