import { type Html, html } from "../html.ts";

/** Lines that connect an agent without a key: it opens a browser, where the person allows it. */
export function mcpOauthSnippet(siteUrl: string): Html {
  return html`<pre><code>claude mcp add --transport http beckon ${siteUrl}/mcp</code></pre>`;
}

/** Lines that use an API key, or leave room for one. */
export function restSnippet(siteUrl: string, key = "…"): Html {
  const json = `'{"urls":["https://example.com/"]}'`;
  return html`<pre><code>export BECKON_API_KEY=${key}
curl ${siteUrl}/api/v1/account -H "Authorization: Bearer $BECKON_API_KEY"
curl ${siteUrl}/api/v1/projects -H "Authorization: Bearer $BECKON_API_KEY" -H "Content-Type: application/json" -d ${json}</code></pre>`;
}

/** The same key for an agent that signs in by none. */
export function mcpKeySnippet(siteUrl: string): Html {
  return html`<pre><code>claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"</code></pre>`;
}
