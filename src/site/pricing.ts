import { SIZES } from "../limits/table.ts";
import { COSTS, PACKS, POPULAR, URLS_CHECKED_PER_CREDIT } from "../payments/prices.ts";
import { html } from "./html.ts";
import type { Page } from "./layout.ts";

export function pricingPage(): Page {
  const packs = PACKS.map(
    (pack) => html`<tr><td>${pack.name}${pack.id === POPULAR ? html` <span class="soft">most chosen</span>` : ""}</td>
<td>${pack.credits.toLocaleString("en-US")}</td><td>$${(pack.amountCents / 100).toFixed(2)}</td><td>${pack.perLink}</td></tr>\n`,
  );
  return {
    title: "Pricing - Beckon",
    body: html`
<h1>Pricing</h1>
<p>Work is paid for with credits, bought in packs. Credits do not expire.</p>
<div class="wide"><table><thead><tr><th scope="col">Pack</th><th scope="col">Credits</th><th scope="col">Price</th><th scope="col">Per URL</th></tr></thead>
<tbody>${packs}</tbody></table></div>
<h2>What a credit buys</h2>
<ul>
<li>Standard indexing: ${COSTS.standard} credit per URL.</li>
<li>Instant indexing, first in line at Google: ${COSTS.instant} credits per URL.</li>
<li>Index checker: 1 credit for every ${URLS_CHECKED_PER_CREDIT} URLs looked up.</li>
</ul>
<p>A project takes up to ${SIZES.urlsPerSubmission.toLocaleString("en-US")} URLs. Credits of URLs that Google does not
have on day 14, and of those never sent, come back by themselves.</p>
<h2>Buying</h2>
<p>Card payment is not open yet on this deployment. In the sandbox the operator books credits with
<code>beckon credits grant</code>. Programs read these prices from <code>GET /api/v1/pricing</code>.</p>`,
  };
}
