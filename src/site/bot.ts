import { SECOND } from "../clock.ts";
import type { Config } from "../config.ts";
import { userAgentOf } from "../http.ts";
import { PACE } from "../pages/politeness.ts";
import { html } from "./html.ts";
import type { Page } from "./layout.ts";

/** For whoever finds us in the log of a server: the page that our User-Agent names. */
export function botPage(config: Pick<Config, "siteUrl" | "contact">): Page {
  const { siteUrl, contact } = config;
  const whom = contact ? html`<code>${contact}</code>` : html`the operator of <code>${siteUrl}</code>`;
  return {
    title: "The Beckon fetcher",
    body: html`
<h1>The Beckon fetcher</h1>
<p>Beckon submits pages to search engines for the people who ask it to. It is not a crawler: it follows no links, and
it fetches only addresses that a customer has named. It introduces itself as</p>
<pre><code>${userAgentOf(config)}</code></pre>
<h2>What it fetches, and why</h2>
<ul>
<li>A page, before it is submitted and when Google does not have it: whether it is there, and whether it may be
indexed. At most the beginning of it is read, and nothing of it is kept.</li>
<li><code>robots.txt</code> of the page's host: whether Googlebot may fetch the page.</li>
<li>A sitemap, when a customer has it read: for the page addresses in it.</li>
<li>A key file named after its key, <code>/….txt</code>: whether a customer who says so holds the host (IndexNow).</li>
</ul>
<p>All of it with GET, without cookies, scripts or forms.</p>
<h2>How often</h2>
<p>A page is fetched a few times in two weeks for each time it is submitted. Of one host it fetches at most
${PACE.perHost} pages at a time, beginning no more than ${SECOND / PACE.gapMs} in a second; <code>robots.txt</code> about
once an hour while there is work for the host. It rests when it is answered with status 429.</p>
<h2>How to keep it away</h2>
<p>It keeps to the rules for Googlebot in <code>robots.txt</code>: a page that Googlebot may not fetch is neither fetched
nor submitted.</p>
<pre><code>User-agent: Googlebot
Disallow: /not-for-search/</code></pre>
<p>That closes the page to Google as well. To keep only Beckon away, answer its User-Agent with status 403, or write to
${whom}. The same address is right for anything that looks wrong.</p>`,
  };
}
