import { SCOPES } from "../context.ts";

/** The protected resources of the service, each with its metadata address (RFC 9728 section 3.1). */
export const RESOURCES = ["/api/v1", "/mcp", "/a2a"] as const;

/**
 * Protected resource metadata (RFC 9728). `path` is "" for the whole service. There is no authorization server
 * to name yet: credentials are API keys.
 */
export function protectedResource(siteUrl: string, path: "" | (typeof RESOURCES)[number]) {
  return {
    resource: `${siteUrl}${path}`,
    resource_name: "Beckon",
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_documentation: `${siteUrl}/docs/errors/unauthorized`,
  };
}
