import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import type { Pack } from "../../../domain/payments/orders/prices.ts";
import type { Config } from "../../../platform/config/config.ts";
import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import { packCards } from "../pack-cards.ts";
import type { SiteServices } from "../page-request.ts";
import { frame, PATHS, type Signed } from "./dashboard-page.ts";
import { distance, figure, when } from "./dates.ts";
import { item, items } from "./item-list.ts";
import { begunOf } from "./open-orders.ts";
import { MONEY, moneyWays } from "./order-nav.ts";
import { checkoutPath } from "./payment.ts";

/** `/dashboard/buy`: the packs, each with a button; `pack` is the one that was chosen elsewhere. */
export async function buyPage(services: SiteServices, visit: Signed): Promise<void> {
  await showBuy(services, visit, { chosen: visit.query("pack") });
}

export async function showBuy(
  { db, config, payments }: SiteServices,
  visit: Signed,
  { chosen, said = null, status }: { chosen: string; said?: Html | null; status?: number },
): Promise<void> {
  const { cards } = payments;
  const { session, now } = visit;
  const begun = cards ? await begunOf(db, { accountId: session.accountId, method: cards.method, now }) : [];
  const body = html`${moneyWays("buy")}
<p>Credits do not expire. What becomes of each is in <a href="${MONEY.ledger}">your ledger</a>.</p>
${
  cards
    ? html`${aboutCards(cards.method)}${packCards((pack, isChosen) => buyForm(visit, pack, isChosen), chosen)}`
    : noCards(config)
}
${begunList(begun, visit, config.siteUrl)}
${config.direct ? forAgents() : ""}`;
  const page = frame(visit, { tab: "orders", title: "Buy credits", said, body });
  // The redirect that answers a form leads to the payment page, wherever that is.
  visit.show({ ...page, forms: cards?.origin ? [cards.origin] : [] }, status);
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

function buyForm(visit: Signed, { id, name }: Pack, isChosen: boolean): Html {
  const look = isChosen ? "" : "quiet";
  return form(visit, MONEY.buy, html`${hidden({ pack: id })}${button(`Buy ${name}`, { look })}`);
}

function begunList(begun: readonly OrderRow[], visit: Signed, siteUrl: string): Html {
  if (begun.length === 0) return html``;
  const list = begun.map(({ id, pack, credits, amountCents, checkoutUrl, createdAt, expiresAt }) => {
    const facts = [
      html`${figure(credits)} credits for ${dollars(amountCents)}`,
      html`Begun ${when(createdAt)} <span class="soft">open until ${when(expiresAt)}, ${distance(expiresAt!, visit.now)}</span>`,
    ];
    const title = html`<a href="${PATHS.orders}/${id}">${packName(pack)}</a>`;
    const pay = html`<p><a href="${checkoutPath(checkoutUrl!, siteUrl)}">Go on paying for ${packName(pack)}</a></p>`;
    return item(title, facts, pay);
  });
  return html`<h2>Begun, and not paid</h2>
<p>These close by themselves if you do nothing. Buying the same pack again goes on with the one that is open.</p>
${items(list)}`;
}

function forAgents(): Html {
  return html`<h2>For an agent with a wallet</h2>
<p>It pays by itself, in the call that buys: <a href="/pricing#direct">how that is done</a>.</p>`;
}
