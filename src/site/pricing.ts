import { SIZES } from "../limits/table.ts";
import { COSTS, URLS_CHECKED_PER_CREDIT } from "../payments/prices.ts";
import { figure } from "./dashboard/when.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./layout.ts";
import { packCards } from "./packs.ts";
import { directPayment } from "./pricing-direct.ts";
import type { SiteServices } from "./visit.ts";

type Seller = Pick<SiteServices, "config" | "payments">;

export function pricingPage(seller: Seller): Page {
  const { config, payments } = seller;
  const hasCards = payments.cards !== null;
  return {
    title: "Pricing - Beckon",
    body: html`
<h1>Pricing</h1>
<p>Work is paid for with credits, bought in packs. Credits do not expire.</p>
${packCards(({ id, name }) => (hasCards ? html`<a class="act" href="/dashboard/buy?pack=${id}">Buy ${name}</a>` : html``))}
${byCard(seller)}
<h2>What a credit buys</h2>
<ul>
<li>Standard indexing: ${COSTS.standard} credit per URL.</li>
<li>Instant indexing, first in line at Google: ${COSTS.instant} credits per URL.</li>
<li>Index checker: 1 credit for every ${URLS_CHECKED_PER_CREDIT} URLs looked up.</li>
</ul>
<p>A project takes up to ${figure(SIZES.urlsPerSubmission)} URLs. Credits of URLs that Google does not
have on day 14, and of those never sent, come back by themselves.</p>
<h2>For programs</h2>
<p>They read these prices from <code>GET ${config.siteUrl}/api/v1/pricing</code>.${
      hasCards
        ? html` An agent that is allowed to <code>purchase</code> gets a payment link for its person from
<code>POST ${config.siteUrl}/api/v1/checkout</code>, or by the tool <code>buy_credits</code>.`
        : ""
    }</p>
${config.direct ? directPayment(config.direct, config.siteUrl) : ""}`,
  };
}

function byCard({ config, payments }: Seller): Html {
  if (payments.cards?.method === "stripe")
    return html`<p>You sign in, or open an account, and pay on a page of Stripe. We never see the number of your card.</p>`;
  if (payments.cards)
    return html`<p class="notice"><strong>This is a sandbox.</strong> Its payment page is one of our own, where no money
moves. You sign in, or open an account, and try everything out.</p>`;
  return html`<p>This deployment takes no cards. ${
    config.direct ? html`Agents <a href="#direct">pay directly</a>.` : "Its operator gives credits."
  }</p>`;
}
