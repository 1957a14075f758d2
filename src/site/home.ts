import { html } from "./html.ts";
import type { Page } from "./layout.ts";

export function homePage(siteUrl: string): Page {
  return {
    title: "Beckon: get pages into search engines, and know whether they are there",
    body: html`
<h1>Get your pages into Google, Bing and Yandex, and know whether they are there</h1>
<p>Beckon submits URLs for indexing, looks in Google on day 4 and day 14 whether they came in, and gives the
credits of those that did not back. It is made for programs and agents: a REST API and an MCP server offer the
same operations.</p>
<h2>Three lines to paste</h2>
<pre><code>export BECKON_API_KEY=…
curl ${siteUrl}/api/v1/account -H "Authorization: Bearer $BECKON_API_KEY"
curl ${siteUrl}/api/v1/projects -H "Authorization: Bearer $BECKON_API_KEY" -H "Content-Type: application/json" -d '{"urls":["https://example.com/"]}'</code></pre>
<h2>For an agent</h2>
<pre><code>claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"</code></pre>
<h2>More</h2>
<ul>
<li><a href="/pricing">What it costs</a></li>
<li><a href="/openapi.json">The API as an OpenAPI document</a></li>
<li><a href="/docs/errors">Every error, its cause and what to do</a></li>
<li><a href="/dashboard">Dashboard</a></li>
<li><a href="/bot">What our fetcher does on your server, and how to keep it away</a></li>
</ul>`,
  };
}
