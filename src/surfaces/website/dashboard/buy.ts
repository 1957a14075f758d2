import type { CardProcessor } from "../../../domain/payments/cards/card-processor.ts";
import { CARD_METHODS } from "../../../domain/payments/find-method.ts";
import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import type { Pack } from "../../../domain/payments/orders/prices.ts";
import { packName } from "../../../domain/payments/orders/prices.ts";
import type { Config } from "../../../platform/config/config.ts";
import { formatDollars, formatNumber } from "../../../platform/format.ts";
import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import { packCards } from "../pack-cards.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { relativeTime, timeElement } from "./dates.ts";
import { itemList, listItem } from "./item-list.ts";
import { openOrdersOf } from "./open-orders.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { checkoutPath, testMark } from "./payment.ts";

/** `/dashboard/buy`: the packs, each with a button; the query parameter `pack` marks one as selected. */
export async function buyPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showBuy(services, request, { chosen: request.query("pack") });
}

export async function showBuy(
  { db, config, payments }: WebsiteServices,
  request: SignedInRequest,
  { chosen, message = null, status }: { chosen: string; message?: Html | null; status?: number },
): Promise<void> {
  const { cards } = payments;
  const { session, now } = request;
  const openOrders = cards ? await openOrdersOf(db, { accountId: session.accountId, method: cards.method, now }) : [];
  const body = html`${orderNav("buy")}
<p>Credits do not expire. Your <a href="${PATHS.ledger}">credit history</a> lists every change of your balance.</p>
${
  cards
    ? html`${aboutCards(cards)}${packCards((pack, isChosen) => buyForm(request, pack, isChosen), chosen)}`
    : noCards(config)
}
${openOrderList(openOrders, request, config.siteUrl)}
${config.direct ? forAgents() : ""}`;
  const page = dashboardPage({ section: "orders", title: "Buy credits", message, body });
  // The answer to the form redirects to the payment page, which may be on another site.
  request.show({ ...page, forms: cards?.origin ? [cards.origin] : [] }, status);
}

function aboutCards({ method: id, isLive }: CardProcessor): Html {
  const method = CARD_METHODS.get(id);
  if (method?.isSandbox)
    return notice(html`<strong>Sandbox.</strong> The payment page is our own, and no money moves.`);
  const processor = method?.processor ?? "the card processor";
  const test = isLive
    ? ""
    : notice(html`<strong>Test payments.</strong> ${processor} takes test cards only, and no money moves.`);
  return html`${test}
<p>You pay on a page of ${processor} and then return here. We never see your card number.</p>`;
}

function noCards({ direct }: Config): Html {
  const alternative = direct ? "An agent can pay directly, see below." : "Ask its operator for credits.";
  return html`${notice(html`You cannot buy credits here: this deployment does not accept cards. ${alternative}`)}
${packCards(() => html``)}`;
}

function buyForm(request: SignedInRequest, { id, name }: Pack, isChosen: boolean): Html {
  const variant = isChosen ? "" : "quiet";
  return form(request, PATHS.buy, html`${hidden({ pack: id })}${button(`Buy ${name}`, { variant })}`);
}

function openOrderList(openOrders: readonly OrderRow[], request: SignedInRequest, siteUrl: string): Html {
  if (openOrders.length === 0) return html``;
  const list = openOrders.map((order) => {
    const { id, pack, credits, amountCents, checkoutUrl, createdAt, expiresAt } = order;
    const facts = [
      html`${formatNumber(credits)} credits for ${formatDollars(amountCents)}`,
      html`Created ${timeElement(createdAt)} <span class="soft">expires ${timeElement(expiresAt)}, ${relativeTime(expiresAt!, request.now)}</span>`,
    ];
    const title = html`<a href="${PATHS.orders}/${id}">${packName(pack)}</a>${testMark(order)}`;
    const pay = html`<p><a href="${checkoutPath(checkoutUrl!, siteUrl)}">Continue to payment for ${packName(pack)}</a></p>`;
    return listItem(title, facts, pay);
  });
  return html`<h2>Open orders</h2>
<p>An order that is not paid expires. Buying the same pack again continues its open order.</p>
${itemList(list)}`;
}

function forAgents(): Html {
  return html`<h2>For an agent with a wallet</h2>
<p>An agent can pay in the call that buys credits: <a href="/pricing#for-agents-with-a-wallet">how it works</a>.</p>`;
}
