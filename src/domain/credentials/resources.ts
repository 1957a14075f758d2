/** The paths of the protected resources; each has a metadata document (RFC 9728 section 3.1). */
export const RESOURCES = ["/api/v1", "/mcp", "/a2a"] as const;
export type Resource = (typeof RESOURCES)[number];

/** What a token is valid for: one resource, or "" for the whole service (docs/rules.md rule 15). */
export type Audience = "" | Resource;

/**
 * The audience that a resource indicator names (RFC 8707 section 2). A trailing slash is ignored.
 * @param siteUrls the origins of this service
 * @returns null when it is not a resource of this service
 */
export function audienceOf(siteUrls: readonly string[], resource: string): Audience | null {
  const address = resource.replace(/\/$/, "");
  const isNamed = (path: Audience) => siteUrls.some((siteUrl) => address === `${siteUrl}${path}`);
  return (["", ...RESOURCES] as const).find(isNamed) ?? null;
}

/** Whether one audience includes another: the whole service includes every resource. */
export function covers(audience: Audience, other: Audience): boolean {
  return audience === "" || audience === other;
}
