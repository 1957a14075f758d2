/**
 * Every error of the machine endpoints under /oauth/, in one table: RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591
 * section 3.2.2, RFC 8707 section 2, RFC 8628 section 3.5. They are sent in the flat form of RFC 6749. The documentation
 * page of each code is generated from this table, as from ERRORS.
 */
export const OAUTH_ERRORS = {
  invalid_request: {
    status: 400,
    title: "The request is invalid",
    cause: "A parameter is missing, repeated or malformed.",
    remedy: "Correct the parameter that `error_description` names.",
  },
  invalid_client: {
    status: 401,
    title: "The client is unknown, or sent a secret",
    cause:
      "`client_id` is unknown or is not the one the token was issued to, or the request carries client credentials.",
    remedy: "All clients are public: send `client_id` and no secret, no Authorization header, no assertion.",
  },
  invalid_grant: {
    status: 400,
    title: "The grant is no longer valid",
    cause:
      "The code, refresh token, claim token or assertion is unknown, expired or already used, or its app was disconnected.",
    remedy: "Start again: request a new authorization, or register again.",
  },
  unauthorized_client: {
    status: 400,
    title: "The client may not use this grant type",
    cause: "The client is not registered for this grant type.",
    remedy: "Use the authorization code grant with PKCE.",
  },
  unsupported_grant_type: {
    status: 400,
    title: "Unsupported grant type",
    cause: "`grant_type` is not among those in the authorization server metadata.",
    remedy: "Use one of `grant_types_supported`.",
  },
  unsupported_response_type: {
    status: 400,
    title: "Unsupported response type",
    cause: "`response_type` is not `code`.",
    remedy: "Send `response_type=code` with PKCE.",
  },
  invalid_scope: {
    status: 400,
    title: "No valid scope remains",
    cause: "None of the requested scopes exists, or one was not granted.",
    remedy: "Request `read`, `index` or `purchase`, within what was granted.",
  },
  invalid_target: {
    status: 400,
    title: "The resource does not belong to this service",
    cause: "`resource` names something else, more than one thing, or more than was granted.",
    remedy: "Use a `resource` from the protected resource metadata, or leave it out.",
  },
  access_denied: {
    status: 400,
    title: "The user declined",
    cause: "The account owner declined, or the registration is locked.",
    remedy: "Stop polling.",
  },
  authorization_pending: {
    status: 400,
    title: "The user has not entered the code yet",
    cause: "The registration is still open.",
    remedy: "Poll again after `interval` seconds.",
  },
  slow_down: {
    status: 400,
    title: "Polling too fast",
    cause: "The token endpoint was polled before the interval had passed.",
    remedy: "Wait 5 seconds longer between all further requests.",
  },
  expired_token: {
    status: 400,
    title: "The code has expired",
    cause: "It was not entered within ten minutes.",
    remedy: "Request a new code and link from `claim_url`. The registration stays open for 24 hours.",
  },
  invalid_redirect_uri: {
    status: 400,
    title: "The redirect URI is not allowed",
    cause: "A redirect URI must use https, http on localhost or 127.0.0.1, or the app's own scheme.",
    remedy: "Register redirect URIs of these kinds, without a fragment or credentials.",
  },
  invalid_client_metadata: {
    status: 400,
    title: "The client metadata is not supported",
    cause: "A field of the registration has a value that is not supported.",
    remedy: "Register a public client: `token_endpoint_auth_method` is `none`.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    cause: "A limit of this endpoint was reached.",
    remedy: "Wait `Retry-After` seconds.",
  },
  temporarily_unavailable: {
    status: 503,
    title: "The service is temporarily unavailable",
    cause: "It is too busy, or cannot reach its database.",
    remedy: "Wait `Retry-After` seconds and send the same request again.",
  },
  server_error: {
    status: 500,
    title: "An internal error",
    cause: "An unexpected error occurred.",
    remedy: "Try again. Report it if it keeps failing.",
  },
} as const satisfies Record<string, { status: number; title: string; cause: string; remedy: string }>;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** An error that an OAuth endpoint answers with. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param description printable ASCII without quotes and backslashes (RFC 6749 section 5.2) */
  constructor(code: OAuthErrorCode, description: string, headers: Readonly<Record<string, string>> = {}) {
    super(description);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return OAUTH_ERRORS[this.code].status;
  }
}

/** The body of RFC 6749 section 5.2. */
export function oauthErrorBody({ code, message }: OAuthError, siteUrl: string) {
  return { error: code, error_description: message, error_uri: `${siteUrl}/docs/errors/${code}` };
}
