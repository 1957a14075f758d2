import type { Config } from "../../platform/config/config.ts";
import { MEDIA_TYPES, PATHS } from "./paths.ts";

/**
 * The catalog of what a domain offers to agents (github.com/Agent-Card/ai-catalog; the entry of the MCP server follows
 * modelcontextprotocol/experimental-ext-server-card).
 */
export function aiCatalog({ siteUrl }: Pick<Config, "siteUrl">): object {
  const { hostname } = new URL(siteUrl);
  return {
    specVersion: "1.0",
    host: { displayName: "Beckon", identifier: hostname, documentationUrl: `${siteUrl}${PATHS.docs}` },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:beckon`,
        displayName: "Beckon as an MCP server",
        ...typed(MEDIA_TYPES.serverCard),
        url: `${siteUrl}${PATHS.serverCard}`,
      },
      {
        identifier: `urn:air:${hostname}:a2a:beckon`,
        displayName: "Beckon as an A2A agent",
        ...typed(MEDIA_TYPES.agentCard),
        url: `${siteUrl}${PATHS.agentCard}`,
      },
    ],
  };
}

/** The media type under both names: earlier drafts use `type`, later ones `mediaType`. */
function typed(mediaType: string): object {
  return { type: mediaType, mediaType };
}
