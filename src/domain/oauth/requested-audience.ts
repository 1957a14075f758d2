import { OAuthError } from "../../platform/errors/oauth-errors.ts";
import { type Audience, audienceOf } from "../credentials/resources.ts";

/**
 * The audience that the resource indicators of a request name (RFC 8707 section 2): the whole service, or one resource of it,
 * in one spelling or in several. Undefined without any.
 * @throws OAuthError invalid_target
 */
export function requestedAudience(siteUrls: readonly string[], resources: readonly string[]): Audience | undefined {
  const named = new Set(resources.map((resource) => audienceOf(siteUrls, resource)));
  if (named.has(null)) throw new OAuthError("invalid_target", "resource is not a resource of this service.");
  if (named.size > 1) throw new OAuthError("invalid_target", "A token is valid for one resource: name one.");
  const [audience] = named as Set<Audience>;
  return audience;
}
