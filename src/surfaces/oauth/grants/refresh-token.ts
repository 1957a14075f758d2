import { requestedScopes } from "../../../domain/credentials/scopes.ts";
import { type RefreshRefusal, rotateRefreshToken } from "../../../domain/oauth/refresh.ts";
import { secretBoxOf } from "../../../platform/config/secrets-key.ts";
import { OAuthError, type OAuthErrorCode } from "../../../platform/errors/oauth-errors.ts";
import { requiredParameter } from "../form.ts";
import type { GrantType } from "./grant-type.ts";
import { audienceIn, tokenResponse } from "./token-response.ts";

/** Exchanges a refresh token for new tokens (RFC 6749 section 6). */
export const refreshToken: GrantType = async ({ db, config }, { form, ip, now }) => {
  const renewal = {
    token: requiredParameter(form, "refresh_token"),
    clientId: form.get("client_id"),
    // Unknown scopes are ignored, as in the authorization request.
    scopes: requestedScopes(form.get("scope")),
    audience: audienceIn(form, config),
    overlap: { ms: config.refreshOverlapMs, box: secretBoxOf(config) },
    ip,
    now,
  };
  const outcome = await db.tx((tx) => rotateRefreshToken(tx, renewal));
  if (typeof outcome === "string") throw new OAuthError(...REFUSALS[outcome]);
  return tokenResponse(outcome);
};

const REFUSALS: Readonly<Record<RefreshRefusal, [OAuthErrorCode, string]>> = {
  unknown: ["invalid_grant", "The refresh token is unknown or has expired."],
  disconnected: ["invalid_grant", "The app was disconnected. Ask the user again."],
  other_client: ["invalid_grant", "The refresh token was issued to another client_id."],
  reused: ["invalid_grant", "The refresh token was used before, so the app is disconnected. Ask the user again."],
  expired: ["invalid_grant", "The refresh token has expired: it is valid for 30 days."],
  wider_scope: ["invalid_scope", "scope names a scope that was not granted, or none at all."],
  wider_resource: ["invalid_target", "The user approved another resource."],
};
