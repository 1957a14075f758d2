/**
 * What the machine endpoints under /oauth/ refuse with, in one table: RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591
 * section 3.2.2, RFC 8707 section 2, RFC 8628 section 3.5. Their form is the flat one of RFC 6749; documentation pages
 * are made of this table as of ERRORS.
 */
export const OAUTH_ERRORS = {
  invalid_request: {
    status: 400,
    title: "The request is not well formed",
    cause: "A parameter is missing, is there twice, or has a form it must not have.",
    remedy: "Correct the parameter that `error_description` names.",
  },
  invalid_client: {
    status: 401,
    title: "The client is not known, or sent a secret",
    cause: "`client_id` is unknown or not the one of the token, or the request carries client credentials.",
    remedy: "All clients are public: send `client_id` and no secret, no Authorization header, no assertion.",
  },
  invalid_grant: {
    status: 400,
    title: "The grant is no longer good",
    cause: "The code, refresh token, claim token or assertion is unknown, expired, used, or its app was disconnected.",
    remedy: "Begin again: ask for a new authorization, or register again.",
  },
  unauthorized_client: {
    status: 400,
    title: "The client may not use this grant",
    cause: "The client is not registered for it.",
    remedy: "Use the authorization code with PKCE.",
  },
  unsupported_grant_type: {
    status: 400,
    title: "There is no such grant type",
    cause: "`grant_type` is none of those in the metadata of the authorization server.",
    remedy: "Use one of `grant_types_supported`.",
  },
  unsupported_response_type: {
    status: 400,
    title: "Only codes are given out",
    cause: "`response_type` is not `code`.",
    remedy: "Send `response_type=code` with PKCE.",
  },
  invalid_scope: {
    status: 400,
    title: "No scope is left",
    cause: "None of the scopes asked for exists, or one was not granted.",
    remedy: "Ask for `read`, `index` or `purchase`, within what was granted.",
  },
  invalid_target: {
    status: 400,
    title: "The resource is not one of this service",
    cause: "`resource` names something else, more than one thing, or more than was granted.",
    remedy: "Use a `resource` of the protected resource metadata, or none.",
  },
  access_denied: {
    status: 400,
    title: "The person declined",
    cause: "The owner of the account said no, or the registration was locked.",
    remedy: "Stop asking.",
  },
  authorization_pending: {
    status: 400,
    title: "The person has not typed the code yet",
    cause: "The registration is open.",
    remedy: "Ask again after `interval` seconds.",
  },
  slow_down: {
    status: 400,
    title: "Polling too fast",
    cause: "The token endpoint was asked before the interval had passed.",
    remedy: "Add 5 seconds to the interval, for good.",
  },
  expired_token: {
    status: 400,
    title: "The code has expired",
    cause: "It was not typed within ten minutes.",
    remedy: "Ask `claim_url` for a new code and link; a registration stays open for 24 hours.",
  },
  invalid_redirect_uri: {
    status: 400,
    title: "A redirect address cannot be used",
    cause: "Redirects lead to https, to http on localhost or 127.0.0.1, or to the app's own scheme.",
    remedy: "Register addresses of these kinds, without fragment and credentials.",
  },
  invalid_client_metadata: {
    status: 400,
    title: "The client cannot be registered like this",
    cause: "A field of the registration has a value that is not supported.",
    remedy: "Register a public client: `token_endpoint_auth_method` is `none`.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    cause: "A limit of this address was reached.",
    remedy: "Wait `Retry-After` seconds.",
  },
  temporarily_unavailable: {
    status: 503,
    title: "The service cannot answer at the moment",
    cause: "It is too busy, or cannot reach its database.",
    remedy: "Wait `Retry-After` seconds and send the same request again.",
  },
  server_error: {
    status: 500,
    title: "Something failed on our side",
    cause: "An unexpected error.",
    remedy: "Try again; report it if it stays.",
  },
} as const satisfies Record<string, { status: number; title: string; cause: string; remedy: string }>;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** A refusal in OAuth's words. */
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
