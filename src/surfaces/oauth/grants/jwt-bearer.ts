import { scopesIn } from "../../../domain/credentials/scopes.ts";
import { grantOfAssertion } from "../../../domain/oauth/assertion.ts";
import { grantOf } from "../../../domain/oauth/grants.ts";
import { issueAccessToken } from "../../../domain/oauth/tokens.ts";
import { siteUrlsOf } from "../../../platform/config/local.ts";
import { OAuthError } from "../../../platform/errors/oauth-errors.ts";
import type { Scope } from "../../../platform/principal.ts";
import { requiredParameter } from "../form.ts";
import { agentTokenResponse } from "./agent-answer.ts";
import type { GrantType } from "./grant-type.ts";
import { audienceIn } from "./token-response.ts";

/**
 * Exchanges an agent's identity assertion for a new access token (RFC 7523 section 2.1), with the requested scopes or
 * else all granted ones (RFC 7521 section 4.1). The assertion stays valid.
 */
export const jwtBearer: GrantType = async ({ db, config }, { form, now }) => {
  const assertion = requiredParameter(form, "assertion");
  const audience = audienceIn(form, config) ?? "";
  const grantId = await grantOfAssertion(db, siteUrlsOf(config), assertion, now);
  const issued = await db.tx(async (tx) => {
    // Read again, since the agent may have been disconnected meanwhile.
    const grant = grantId === null ? null : await grantOf(tx, grantId);
    if (!grant) return null;
    const scopes = scopesWithin(scopesIn(grant.scopes), form.get("scope"));
    return { access: await issueAccessToken(tx, { grantId: grant.id, audience, scopes, now }), scopes };
  });
  if (!issued)
    throw new OAuthError("invalid_grant", "The assertion is not valid or has expired, or the agent was disconnected.");
  return agentTokenResponse(issued.access, issued.scopes);
};

/** @throws OAuthError invalid_scope for scopes that were not granted, or none */
function scopesWithin(granted: readonly Scope[], text: string | undefined): readonly Scope[] {
  if (text === undefined) return granted;
  const requested = scopesIn(text);
  if (requested.length > 0 && requested.every((scope) => granted.includes(scope))) return requested;
  throw new OAuthError("invalid_scope", "scope names a scope that was not granted, or none at all.");
}
