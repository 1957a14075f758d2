import { scopeText } from "../../../domain/credentials/scopes.ts";
import { LIFETIMES } from "../../../domain/oauth/tokens.ts";
import type { Scope } from "../../../platform/principal.ts";
import type { TokenResponse } from "./grant-type.ts";

/** The response with an agent's access token. It has no refresh token: the agent renews with its assertion. */
export function agentTokenResponse(access: string, scopes: readonly Scope[]): TokenResponse {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: LIFETIMES.access / 1000,
    scope: scopeText(scopes),
  };
}
