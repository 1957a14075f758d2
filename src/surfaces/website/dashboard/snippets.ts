import { type Html, html } from "../html.ts";

/** Connects an agent by OAuth: it opens a browser, in which the user allows it. */
export function mcpOauthSnippet(siteUrl: string): Html {
  return html`<pre><code>claude mcp add --transport http beckon ${siteUrl}/mcp</code></pre>`;
}

/** Calls of the REST API. @param key an API key to put in; by default a placeholder */
export function restSnippet(siteUrl: string, key = "…"): Html {
  const json = `'{"urls":["https://example.com/"]}'`;
  return html`<pre><code>export BECKON_API_KEY=${key}
curl ${siteUrl}/api/v1/account -H "Authorization: Bearer $BECKON_API_KEY"
curl ${siteUrl}/api/v1/projects -H "Authorization: Bearer $BECKON_API_KEY" -H "Content-Type: application/json" -d ${json}</code></pre>`;
}

/** Connects an agent by an API key, which the environment holds. */
export function mcpKeySnippet(siteUrl: string): Html {
  return html`<pre><code>claude mcp add --transport http beckon ${siteUrl}/mcp --header "Authorization: Bearer $BECKON_API_KEY"</code></pre>`;
}
