import type { Audience } from "../../../domain/auth/resources.ts";
import { audienceOf } from "../../../domain/auth/resources.ts";
import { scopeText } from "../../../domain/auth/scopes.ts";
import { LIFETIMES, type Tokens } from "../../../domain/auth/tokens.ts";
import type { Config } from "../../../platform/config/config.ts";
import { OAuthError } from "../../../platform/errors/oauth-errors.ts";
import type { Form } from "../endpoint.ts";
import type { TokenAnswer } from "./grant-type.ts";

/** Tokens of an app on the wire; the scope is always said (RFC 6749 section 5.1). */
export function tokenAnswer({ access, refresh, scopes }: Tokens): TokenAnswer {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: LIFETIMES.access / 1000,
    refresh_token: refresh,
    scope: scopeText(scopes),
  };
}

/** What `resource` names (RFC 8707 section 2.2), when it is there. @throws OAuthError invalid_target */
export function audienceIn(form: Form, { siteUrl }: Config): Audience | undefined {
  const resource = form.get("resource");
  if (resource === undefined) return undefined;
  const audience = audienceOf(siteUrl, resource);
  if (audience === null) throw new OAuthError("invalid_target", "resource is not a resource of this service.");
  return audience;
}
