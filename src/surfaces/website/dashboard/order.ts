import { awaitedOf } from "../../../domain/payments/cards/pending-funds.ts";
import { type OrderRow, orderOf, type Transaction } from "../../../domain/payments/orders/orders.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { hasControl } from "../../../platform/text.ts";
import { type DisplayStatus, displayStatusOf, displayStatusText } from "../checkout/order-status.ts";
import { type Html, html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.ts";
import { figure, relativeTime, timeElement } from "./dates.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { methodLabel, payLink, sandboxPaymentLink, transactionLink, transactionOf } from "./payment.ts";

/** `/dashboard/orders/:id` */
export async function orderPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  const order = hasControl(id) ? null : await orderOf(db, request.session.accountId, id);
  if (!order) throw new Refusal("not_found", "Your account has no such order. The dashboard lists those it has.");
  const displayStatus = displayStatusOf(order, (await awaitedOf(db, [order])).has(order.id), request.now);
  const body = html`${orderNav()}
${facts(order, displayStatus, request.now)}
<p>${next(order, displayStatus, config.siteUrl)}</p>
${displayStatus === "processing" ? sandboxPaymentLink(order, config.siteUrl) : ""}`;
  const title = `${packName(order.pack)}: ${figure(order.credits)} credits`;
  request.show(dashboardPage(request, { tab: "orders", title, body }));
}

function facts(order: OrderRow, displayStatus: DisplayStatus, now: number): Html {
  const { id, credits, takenBack, amountCents, createdAt, expiresAt, paidAt } = order;
  const transaction = transactionOf(order);
  const rows: readonly (readonly [string, string | Html])[] = [
    ["Id", html`<code>${id}</code>`],
    ["Status", displayStatusText(order, displayStatus)],
    ["Credits", figure(credits)],
    ...(takenBack > 0 ? ([["Taken back", figure(takenBack)]] as const) : []),
    ["Price", dollars(amountCents)],
    ["Paid by", methodLabel(order)],
    ...(transaction === null ? [] : onChain(transaction)),
    ["Made", html`${timeElement(createdAt)} <span class="soft">${relativeTime(createdAt, now)}</span>`],
    ...(displayStatus === "open" ? ([["Open until", timeElement(expiresAt)]] as const) : []),
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
    ["From", html`<code>${payer}</code>`],
    ["Token", html`${amount} base units of <code>${currency}</code> on <code>${network}</code>`],
  ];
}

function next(order: OrderRow, displayStatus: DisplayStatus, siteUrl: string): Html {
  const again = html`<a href="${PATHS.buy}?pack=${order.pack}">Buy this pack again</a>`;
  const words: Readonly<Record<DisplayStatus, Html>> = {
    open: html`${payLink(order, siteUrl)} on the payment page, until it closes.`,
    processing: html`You have paid in a way that takes its time. The credits come as soon as the money does.`,
    expired: html`Its payment page has closed, and nothing was paid. ${again}.`,
    paid: html`<a href="${PATHS.ledger}">See where credits went</a>, or ${html`<a href="${PATHS.buy}">buy more</a>`}.`,
    failed: html`None of its credits are in your balance. ${again}.`,
    refunded: html`The money went back to you, and its credits went out of your balance. ${again}.`,
    disputed: html`The payment is in dispute with your bank, and its credits are out of your balance as long as it is.
Won for us, they come back.`,
  };
  return words[displayStatus];
}
