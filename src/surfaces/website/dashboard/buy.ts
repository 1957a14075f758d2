import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import type { Pack } from "../../../domain/payments/orders/prices.ts";
import type { Config } from "../../../platform/config/config.ts";
import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import { packCards } from "../pack-cards.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.ts";
import { figure, relativeTime, timeElement } from "./dates.ts";
import { itemList, listItem } from "./item-list.ts";
import { openOrdersOf } from "./open-orders.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { checkoutPath } from "./payment.ts";

/** `/dashboard/buy`: the packs, each with a button; `pack` is the one that was chosen elsewhere. */
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
  const begun = cards ? await openOrdersOf(db, { accountId: session.accountId, method: cards.method, now }) : [];
  const body = html`${orderNav("buy")}
<p>Credits do not expire. What becomes of each is in <a href="${PATHS.ledger}">your ledger</a>.</p>
${
  cards
    ? html`${aboutCards(cards.method)}${packCards((pack, isChosen) => buyForm(request, pack, isChosen), chosen)}`
    : noCards(config)
}
${begunList(begun, request, config.siteUrl)}
${config.direct ? forAgents() : ""}`;
  const page = dashboardPage(request, { tab: "orders", title: "Buy credits", message, body });
  // The redirect that answers a form leads to the payment page, wherever that is.
  request.show({ ...page, forms: cards?.origin ? [cards.origin] : [] }, status);
}

function aboutCards(method: "stripe" | "sandbox"): Html {
  if (method === "stripe")
    return html`<p>You pay on a page of Stripe, and come back here. We never see the number of your card.</p>`;
  return notice(html`<strong>Sandbox.</strong> The payment page is one of our own, and no money moves there.`);
}

function noCards({ direct }: Config): Html {
  const otherwise = direct ? "An agent can pay directly, see below." : "Ask its operator for credits.";
  return html`${notice(html`People cannot buy here: this deployment takes no cards. ${otherwise}`)}
${packCards(() => html``)}`;
}

function buyForm(request: SignedInRequest, { id, name }: Pack, isChosen: boolean): Html {
  const look = isChosen ? "" : "quiet";
  return form(request, PATHS.buy, html`${hidden({ pack: id })}${button(`Buy ${name}`, { look })}`);
}

function begunList(begun: readonly OrderRow[], request: SignedInRequest, siteUrl: string): Html {
  if (begun.length === 0) return html``;
  const list = begun.map(({ id, pack, credits, amountCents, checkoutUrl, createdAt, expiresAt }) => {
    const facts = [
      html`${figure(credits)} credits for ${dollars(amountCents)}`,
      html`Begun ${timeElement(createdAt)} <span class="soft">open until ${timeElement(expiresAt)}, ${relativeTime(expiresAt!, request.now)}</span>`,
    ];
    const title = html`<a href="${PATHS.orders}/${id}">${packName(pack)}</a>`;
    const pay = html`<p><a href="${checkoutPath(checkoutUrl!, siteUrl)}">Go on paying for ${packName(pack)}</a></p>`;
    return listItem(title, facts, pay);
  });
  return html`<h2>Begun, and not paid</h2>
<p>These close by themselves if you do nothing. Buying the same pack again goes on with the one that is open.</p>
${itemList(list)}`;
}

function forAgents(): Html {
  return html`<h2>For an agent with a wallet</h2>
<p>It pays by itself, in the call that buys: <a href="/pricing#direct">how that is done</a>.</p>`;
}
