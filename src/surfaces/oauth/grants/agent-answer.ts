import { scopeText } from "../../../domain/auth/scopes.ts";
import { LIFETIMES } from "../../../domain/auth/tokens.ts";
import type { Scope } from "../../../platform/principal.ts";
import type { TokenResponse } from "./grant-type.ts";

/** An agent's token on the wire. There is never a refresh token: it renews by its assertion. */
export function agentTokenResponse(access: string, scopes: readonly Scope[]): TokenResponse {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: LIFETIMES.access / 1000,
    scope: scopeText(scopes),
  };
}
