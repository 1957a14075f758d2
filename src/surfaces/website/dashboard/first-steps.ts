import { type Html, html } from "../html.ts";
import { mcpOauthSnippet, restSnippet } from "./snippets.ts";

/** For an account that has done nothing yet: the ways to its first project, with lines to paste. */
export function firstSteps(siteUrl: string, hasCredits: boolean): Html {
  return html`<h2>First steps</h2>
<ol>
<li>${hasCredits ? html`You have credits.` : html`<a href="/dashboard/buy">Buy credits</a>. You can look around before that.`}</li>
<li>Let an agent do it. This adds Beckon to Claude Code; the browser opens, and you say what it may do:
${mcpOauthSnippet(siteUrl)}
Other MCP clients take the address <code>${siteUrl}/mcp</code>.</li>
<li>Or do it by program, with an <a href="/dashboard/keys">API key</a>:
${restSnippet(siteUrl)}
The <a href="/openapi.json">OpenAPI document</a> has everything else.</li>
</ol>
<p>Your projects will be listed here.</p>`;
}
