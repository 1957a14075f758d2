/** The protected resources of the service by path, each with its metadata address (RFC 9728 section 3.1). */
export const RESOURCES = ["/api/v1", "/mcp", "/a2a"] as const;
export type Resource = (typeof RESOURCES)[number];

/** What a token is good for: one resource, or "" for the whole service (docs/rules.md rule 15). */
export type Audience = "" | Resource;

/**
 * The audience that a resource indicator names (RFC 8707 section 2). A trailing slash makes no difference.
 * @returns null when it names nothing of this service
 */
export function audienceOf(siteUrl: string, resource: string): Audience | null {
  const address = resource.replace(/\/$/, "");
  return (["", ...RESOURCES] as const).find((path) => address === `${siteUrl}${path}`) ?? null;
}

/** A token of `wide` may be had for `narrow` too, never the other way. */
export function covers(wide: Audience, narrow: Audience): boolean {
  return wide === "" || wide === narrow;
}
