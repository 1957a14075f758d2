import { type Html, html } from "../html.ts";
import { mcpOauthSnippet, restSnippet } from "./snippets.ts";

/** For an account without projects: how to create the first one, with commands to paste. */
export function firstSteps(siteUrl: string, hasCredits: boolean): Html {
  return html`<h2>First steps</h2>
<ol>
<li>${hasCredits ? html`You have credits.` : html`<a href="/dashboard/buy">Buy credits</a>. You can look around first.`}</li>
<li>Use an agent. This adds Beckon to Claude Code; your browser opens, and you decide what it may do:
${mcpOauthSnippet(siteUrl)}
Other MCP clients need the address <code>${siteUrl}/mcp</code>.</li>
<li>Or use the REST API, with an <a href="/dashboard/keys">API key</a>:
${restSnippet(siteUrl)}
The <a href="/openapi.json">OpenAPI document</a> describes all calls.</li>
</ol>
<p>Your projects will appear here.</p>`;
}
