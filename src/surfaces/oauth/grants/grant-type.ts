import type { Form, OAuthServices } from "../endpoint.ts";

/** The response of the token endpoint (RFC 6749 section 5.1), with the members that auth.md adds for agents. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
  /** The scopes of the access token, space-separated. */
  readonly scope: string;
  readonly refresh_token?: string;
  readonly identity_assertion?: string;
  /** RFC 3339. */
  readonly assertion_expires?: string;
}

/** One grant type; each has its own file, with checks in the order of the specification. @throws OAuthError */
export type GrantType = (
  services: OAuthServices,
  request: { readonly form: Form; readonly ip: string; readonly now: number },
) => Promise<TokenResponse>;
