import type { Audience } from "../../../domain/credentials/resources.ts";
import { audienceOf } from "../../../domain/credentials/resources.ts";
import { scopeText } from "../../../domain/credentials/scopes.ts";
import { type IssuedTokens, LIFETIMES } from "../../../domain/oauth/tokens.ts";
import type { Config } from "../../../platform/config/config.ts";
import { siteUrlsOf } from "../../../platform/config/local.ts";
import { OAuthError } from "../../../platform/errors/oauth-errors.ts";
import type { Form } from "../endpoint.ts";
import type { TokenResponse } from "./grant-type.ts";

/** The response with an app's tokens; it always contains the scope (RFC 6749 section 5.1). */
export function tokenResponse({ access, refresh, scopes }: IssuedTokens): TokenResponse {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: LIFETIMES.access / 1000,
    refresh_token: refresh,
    scope: scopeText(scopes),
  };
}

/** The audience that `resource` names (RFC 8707 section 2.2); undefined without it. @throws OAuthError invalid_target */
export function requestedAudience(form: Form, config: Config): Audience | undefined {
  const resource = form.get("resource");
  if (resource === undefined) return undefined;
  const audience = audienceOf(siteUrlsOf(config), resource);
  if (audience === null) throw new OAuthError("invalid_target", "resource is not a resource of this service.");
  return audience;
}
