import { parseUrl } from "../../platform/text.ts";

/** The paths of the protected resources; each has a metadata document (RFC 9728 section 3.1). */
export const RESOURCES = ["/api/v1", "/mcp", "/a2a"] as const;
export type Resource = (typeof RESOURCES)[number];

/**
 * The paths that answer as MCP. Clients take an MCP server for a resource under the address that they call it by, query and
 * all, so that each such address has a metadata document. Tokens for any of them are good for all.
 */
export const MCP_PATHS: readonly string[] = ["/mcp", "/mcp/"];

/** What a token is valid for: one resource, or "" for the whole service (docs/rules.md rule 15). */
export type Audience = "" | Resource;

/**
 * The audience that a resource indicator names (RFC 8707 section 2), in any spelling of its address: capitals in scheme and
 * host, the default port, a trailing slash; that of MCP with any query.
 * @param siteUrls the origins of this service
 * @returns null when it is not a resource of this service
 */
export function audienceOf(siteUrls: readonly string[], resource: string): Audience | null {
  const address = INDICATOR.test(resource) ? parseUrl(resource) : null;
  if (!address) return null;
  const isNamed = (path: Audience) => siteUrls.some((siteUrl) => placeOf(address) === placeOf(new URL(siteUrl + path)));
  const audience = (["", ...RESOURCES] as const).find(isNamed) ?? null;
  return address.search === "" || audience === "/mcp" ? audience : null;
}

/** An absolute URI without user information and fragment, which parsers do not repair: host, path, query. */
const INDICATOR = /^https?:\/\/[\w.:[\]-]+(?:\/[^\s?#\\]*)?(?:\?[^\s#\\]*)?$/i;

function placeOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/$/, "");
}

/** Whether one audience includes another: the whole service includes every resource. */
export function covers(audience: Audience, other: Audience): boolean {
  return audience === "" || audience === other;
}
