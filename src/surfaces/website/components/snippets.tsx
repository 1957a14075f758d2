import type { VNode } from "preact";
import { CodeBlock } from "./code-block.tsx";

/** Connects an agent by OAuth: it opens a browser, in which the user allows it. */
export function McpOauthSnippet({ siteUrl }: { siteUrl: string }): VNode {
  return <CodeBlock text={`claude mcp add --transport http beckon ${siteUrl}/mcp`} />;
}

/** Connects an agent by an API key, which the environment holds. */
export function McpKeySnippet({ siteUrl }: { siteUrl: string }): VNode {
  const header = '--header "Authorization: Bearer $BECKON_API_KEY"';
  return <CodeBlock text={`claude mcp add --transport http beckon ${siteUrl}/mcp ${header}`} />;
}

/** Calls of the REST API. @param apiKey an API key to put in; by default a placeholder */
export function RestSnippet({ siteUrl, apiKey = "…" }: { siteUrl: string; apiKey?: string }): VNode {
  const authorization = '-H "Authorization: Bearer $BECKON_API_KEY"';
  const json = `'{"urls":["https://example.com/"]}'`;
  const lines = [
    `export BECKON_API_KEY=${apiKey}`,
    `curl ${siteUrl}/api/v1/account ${authorization}`,
    `curl ${siteUrl}/api/v1/projects ${authorization} -H "Content-Type: application/json" -d ${json}`,
  ];
  return <CodeBlock text={lines.join("\n")} />;
}
