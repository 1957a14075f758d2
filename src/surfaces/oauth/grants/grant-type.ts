import type { Form, OAuthServices } from "../endpoint.ts";

/** What the token endpoint answers (RFC 6749 section 5.1), with what auth.md adds for agents. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
  /** What was granted. */
  readonly scope: string;
  readonly refresh_token?: string;
  readonly identity_assertion?: string;
  /** RFC 3339. */
  readonly assertion_expires?: string;
}

/** One grant type; each stands in a file of its own, its checks in the order of the specification. @throws OAuthError */
export type GrantType = (
  services: OAuthServices,
  request: { readonly form: Form; readonly ip: string; readonly now: number },
) => Promise<TokenResponse>;
