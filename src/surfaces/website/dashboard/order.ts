import { awaitedOf } from "../../../domain/payments/cards/pending-funds.ts";
import { type OrderRow, orderOf, type Transaction } from "../../../domain/payments/orders/orders.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { hasControl } from "../../../platform/text.ts";
import { type Standing, standingOf, standingWords } from "../checkout/order-status.ts";
import { type Html, html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import type { SiteServices } from "../page-request.ts";
import { frame, type Signed } from "./dashboard-page.ts";
import { distance, figure, when } from "./dates.ts";
import { MONEY, moneyWays } from "./order-nav.ts";
import { decideAt, hashOf, methodWords, payAt, transactionOf } from "./payment.ts";

/** `/dashboard/orders/:id` */
export async function orderPage({ db, config }: SiteServices, visit: Signed): Promise<void> {
  const id = String(visit.req.params.id);
  const order = hasControl(id) ? null : await orderOf(db, visit.session.accountId, id);
  if (!order) throw new Refusal("not_found", "Your account has no such order. The dashboard lists those it has.");
  const standing = standingOf(order, (await awaitedOf(db, [order])).has(order.id), visit.now);
  const body = html`${moneyWays()}
${facts(order, standing, visit.now)}
<p>${next(order, standing, config.siteUrl)}</p>
${standing === "awaited" ? decideAt(order, config.siteUrl) : ""}`;
  const title = `${packName(order.pack)}: ${figure(order.credits)} credits`;
  visit.show(frame(visit, { tab: "orders", title, body }));
}

function facts(order: OrderRow, standing: Standing, now: number): Html {
  const { id, credits, takenBack, amountCents, createdAt, expiresAt, paidAt } = order;
  const transaction = transactionOf(order);
  const rows: readonly (readonly [string, string | Html])[] = [
    ["Id", html`<code>${id}</code>`],
    ["Status", standingWords(order, standing)],
    ["Credits", figure(credits)],
    ...(takenBack > 0 ? ([["Taken back", figure(takenBack)]] as const) : []),
    ["Price", dollars(amountCents)],
    ["Paid by", methodWords(order)],
    ...(transaction === null ? [] : onChain(transaction)),
    ["Made", html`${when(createdAt)} <span class="soft">${distance(createdAt, now)}</span>`],
    ...(standing === "payable" ? ([["Open until", when(expiresAt)]] as const) : []),
    ["Paid", when(paidAt, "not yet")],
  ];
  return html`<dl class="facts">${rows.map(
    ([name, value]) => html`<dt>${name}</dt>
<dd>${value}</dd>\n`,
  )}</dl>`;
}

function onChain(transaction: Transaction): (readonly [string, Html])[] {
  const { network, payer, amount, currency } = transaction;
  return [
    ["Transaction", hashOf(transaction)],
    ["From", html`<code>${payer}</code>`],
    ["Token", html`${amount} base units of <code>${currency}</code> on <code>${network}</code>`],
  ];
}

function next(order: OrderRow, standing: Standing, siteUrl: string): Html {
  const again = html`<a href="${MONEY.buy}?pack=${order.pack}">Buy this pack again</a>`;
  const words: Readonly<Record<Standing, Html>> = {
    payable: html`${payAt(order, siteUrl)} on the payment page, until it closes.`,
    awaited: html`You have paid in a way that takes its time. The credits come as soon as the money does.`,
    over: html`Its payment page has closed, and nothing was paid. ${again}.`,
    paid: html`<a href="${MONEY.ledger}">See where credits went</a>, or ${html`<a href="${MONEY.buy}">buy more</a>`}.`,
    failed: html`None of its credits are in your balance. ${again}.`,
    refunded: html`The money went back to you, and its credits went out of your balance. ${again}.`,
    disputed: html`The payment is in dispute with your bank, and its credits are out of your balance as long as it is.
Won for us, they come back.`,
  };
  return words[standing];
}
