import type { Audience } from "../../../domain/credentials/resources.ts";
import { scopeText } from "../../../domain/credentials/scopes.ts";
import { requestedAudience } from "../../../domain/oauth/requested-audience.ts";
import { type IssuedTokens, LIFETIMES } from "../../../domain/oauth/tokens.ts";
import type { Config } from "../../../platform/config/config.ts";
import { siteUrlsOf } from "../../../platform/config/local.ts";
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

/** The audience of a token request (RFC 8707 section 2.2); undefined where it names none. @throws OAuthError invalid_target */
export function audienceIn(form: Form, config: Config): Audience | undefined {
  return requestedAudience(siteUrlsOf(config), form.get("resource")?.split(" ") ?? []);
}
