import type { VNode } from "preact";
import { McpOauthSnippet, RestSnippet } from "../components/snippets.tsx";
import { PATHS } from "../shell/addresses.ts";
import { BuyLink } from "../shell/deployment.tsx";

/** For an account without projects: how to create the first one, with commands to paste. */
export function FirstSteps({ siteUrl, hasCredits }: { siteUrl: string; hasCredits: boolean }): VNode {
  return (
    <>
      <div class="heading-row">
        <h2>First steps</h2>
        <a class="button" href={PATHS.newProject}>
          New project
        </a>
      </div>
      <ol>
        <li>
          {hasCredits ? (
            "You have credits."
          ) : (
            <>
              <BuyLink>Buy credits</BuyLink>. You can look around first.
            </>
          )}
        </li>
        <li>
          Create a <a href={PATHS.newProject}>new project</a> here: paste a list of URLs, or give the address of a
          sitemap.
        </li>
        <li>
          Or use an agent. This adds Beckon to Claude Code; your browser opens, and you decide what it may do:
          <McpOauthSnippet siteUrl={siteUrl} />
          Other MCP clients need the address <code>{siteUrl}/mcp</code>.
        </li>
        <li>
          Or use the REST API, with an <a href={PATHS.keys}>API key</a>:
          <RestSnippet siteUrl={siteUrl} />
          The <a href="/openapi.json">OpenAPI document</a> describes all calls.
        </li>
      </ol>
      <p>Your projects will appear here.</p>
    </>
  );
}
