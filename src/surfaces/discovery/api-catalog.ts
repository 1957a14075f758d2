import type { Config } from "../../platform/config/config.ts";
import { link } from "./links.ts";
import { MEDIA_TYPES, PATHS } from "./paths.ts";

interface Target {
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
}

/** One context of links, by relation (RFC 9264 section 4.2). */
type LinkContext = { readonly anchor: string } & Readonly<Record<string, string | readonly Target[]>>;

/** The `Link` header of the catalog, by which an answer to HEAD tells what it is (RFC 9727 section 2). */
export const API_CATALOG_LINK = link(PATHS.apiCatalog, "api-catalog", { type: "application/linkset+json" });

/** The APIs of this service with links to their descriptions, as a linkset (RFC 9727, RFC 9264). */
export function apiCatalog({ siteUrl }: Pick<Config, "siteUrl">): { linkset: readonly LinkContext[] } {
  const at = (path: string, type: string, title: string): Target => ({ href: `${siteUrl}${path}`, type, title });
  const status = [at(PATHS.health, "application/json", "Whether the service is up")];
  const signIn = at(PATHS.auth, MEDIA_TYPES.markdown, "How an agent signs in");
  const authorization = at("/.well-known/oauth-authorization-server", "application/json", "Authorization server");
  const resource = (path: string) =>
    at(`/.well-known/oauth-protected-resource${path}`, "application/json", "What a token for it needs");
  return {
    linkset: [
      {
        anchor: `${siteUrl}${PATHS.apiCatalog}`,
        item: [
          { href: `${siteUrl}/api/v1`, title: "REST API" },
          { href: `${siteUrl}/mcp`, title: "MCP server" },
          { href: `${siteUrl}/a2a`, title: "A2A agent" },
        ],
      },
      {
        anchor: `${siteUrl}/api/v1`,
        "service-desc": [at(PATHS.openApi, "application/json", "OpenAPI 3.1")],
        "service-doc": [at(PATHS.docs, MEDIA_TYPES.html, "Documentation"), signIn],
        "service-meta": [resource("/api/v1"), authorization],
        status,
      },
      {
        anchor: `${siteUrl}/mcp`,
        "service-desc": [at(PATHS.serverCard, MEDIA_TYPES.serverCard, "MCP server card")],
        "service-doc": [at("/docs/mcp", MEDIA_TYPES.html, "Documentation"), signIn],
        "service-meta": [resource("/mcp"), authorization],
        status,
      },
      {
        anchor: `${siteUrl}/a2a`,
        "service-desc": [at(PATHS.agentCard, "application/json", "A2A agent card")],
        "service-doc": [at("/docs/a2a", MEDIA_TYPES.html, "Documentation"), signIn],
        "service-meta": [resource("/a2a"), authorization],
        status,
      },
    ],
  };
}
