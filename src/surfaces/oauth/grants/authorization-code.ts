import { appConnected } from "../../../domain/mail/templates/app-connected.ts";
import { type CodeRefusal, redeemCode } from "../../../domain/oauth/codes.ts";
import { isCodeVerifier } from "../../../domain/oauth/pkce.ts";
import { personById } from "../../../domain/people/people.ts";
import { OAuthError, type OAuthErrorCode } from "../../../platform/errors/oauth-errors.ts";
import type { Form } from "../endpoint.ts";
import { requiredParameter } from "../form.ts";
import type { GrantType } from "./grant-type.ts";
import { audienceIn, tokenResponse } from "./token-response.ts";

/** Exchanges a code and its PKCE verifier for the first tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export const authorizationCode: GrantType = async ({ db, config, mailer }, { form, ip, now }) => {
  const exchange = {
    code: requiredParameter(form, "code"),
    redirectUri: form.get("redirect_uri"),
    clientId: requiredParameter(form, "client_id"),
    verifier: verifierIn(form),
    audience: audienceIn(form, config),
    ip,
    now,
  };
  const outcome = await db.tx(async (tx) => {
    const redeemed = await redeemCode(tx, exchange);
    if (typeof redeemed === "string") return redeemed;
    const { personId, clientName: name, scopes } = redeemed;
    const { email } = await personById(tx, personId);
    await mailer.queue(tx, appConnected(email, { name, scopes, siteUrl: config.siteUrl }));
    return redeemed;
  });
  if (typeof outcome === "string") throw new OAuthError(...REFUSALS[outcome]);
  return tokenResponse(outcome);
};

const REFUSALS: Readonly<Record<CodeRefusal, [OAuthErrorCode, string]>> = {
  unknown: ["invalid_grant", "The code is unknown."],
  reused: ["invalid_grant", "The code was used before, so the app is disconnected."],
  expired: ["invalid_grant", "The code has expired: it is valid for 60 seconds."],
  other_client: ["invalid_grant", "The code was issued to another client_id."],
  other_redirect: ["invalid_grant", "redirect_uri differs from the one of the authorization request."],
  wrong_verifier: ["invalid_grant", "code_verifier does not match the code_challenge."],
  wider_resource: ["invalid_target", "The user approved another resource."],
};

function verifierIn(form: Form): string {
  const verifier = requiredParameter(form, "code_verifier");
  if (isCodeVerifier(verifier)) return verifier;
  throw new OAuthError("invalid_request", "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~.");
}
