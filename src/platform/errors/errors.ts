import { addToRequest } from "../request-context.ts";
import { unavailableIn } from "./database-unavailable.ts";

/**
 * Every error that Beckon answers with, in one table (docs/rules.md rule 13). The documentation page of each code and the
 * OpenAPI responses are generated from it.
 */
export const ERRORS = {
  invalid_request: {
    status: 400,
    title: "The request is invalid",
    cause: "A field is missing, has the wrong type, or is outside its limits. `issues` names each one.",
    remedy: "Correct the fields named in `issues` and send the request again. Nothing was changed.",
  },
  no_valid_urls: {
    status: 400,
    title: "No valid URL remains",
    cause: "The list, or the sitemap, has no URL that is valid; or a project has none that can be sent again.",
    remedy:
      "Send absolute URLs that begin with http:// or https://. `invalid_examples` tells what was dropped, `left_out` why URLs are not sent again.",
  },
  too_many_urls: {
    status: 400,
    title: "Too many URLs for one project",
    cause: "More than 10,000 URLs remain after dropping duplicates and invalid entries.",
    remedy: "Split the list into projects of at most 10,000 URLs. Nothing was spent.",
  },
  unknown_pack: {
    status: 400,
    title: "Unknown credit pack",
    cause: "`pack` is not one of basic, pro, premium, agency.",
    remedy: "Call get_pricing for the packs on sale.",
  },
  sitemap_unreachable: {
    status: 400,
    title: "The sitemap could not be fetched",
    cause:
      "The address did not return a document, or is not a public web address. `reason` says which: not_public, unresolved, unreachable, timeout, too_many_redirects, bad_url, http_ and the status, or the fault of the connection or of the answer, such as certificate_expired or headers_too_large.",
    remedy: "Check that the sitemap opens in a browser without signing in, then try again.",
  },
  sitemap_invalid: {
    status: 400,
    title: "The document is not a sitemap",
    cause: "It is not a urlset, a sitemap index, a text list, RSS or Atom, or it is larger than allowed.",
    remedy: "Point to a sitemap as described at sitemaps.org.",
  },
  holdout_not_possible: {
    status: 400,
    title: "No pages can be held out",
    cause:
      "`reason` says why: too_few (`held` of at least `needed`), skip_indexed, sitemap_provider (a provider hands Google whole sitemaps), or watch_submits (a watch that submits pages has the host).",
    remedy: "Correct what `reason` names, or submit without holdout_percent. Nothing was spent.",
  },
  anonymous_not_enabled: {
    status: 400,
    title: "Anonymous agents are not accepted",
    cause: "`type` is `anonymous`, but every agent works for a user who has approved it.",
    remedy: "Register with `type` `service_auth` and the user's e-mail address in `login_hint`.",
  },
  issuer_not_enabled: {
    status: 400,
    title: "Identity assertions of other issuers are not accepted",
    cause: "`type` asks to register with an identity assertion, and this service trusts no other issuer.",
    remedy: "Register with `type` `service_auth` and the user's e-mail address in `login_hint`.",
  },
  invalid_claim_token: {
    status: 400,
    title: "There is no such registration",
    cause: "`claim_token` is unknown, or its registration was withdrawn.",
    remedy: "Register again.",
  },
  webhook_invalid: {
    status: 400,
    title: "The webhook cannot be used",
    cause:
      "`reason` says why: bad_url, not_https, not_public and unresolved are about its URL; too_many: the account has 10; paused and disabled: it has to be active for this call.",
    remedy:
      "Give an https URL of a public host that answers POST, or change the webhook with save_webhook. Nothing was changed.",
  },
  cursor_expired: {
    status: 400,
    title: "What follows this cursor is no longer kept",
    cause: "`after` names an event that is older than 30 days, and events after it were deleted.",
    remedy: "Call list_events without `after`; get_project has the present state of what happened before.",
  },
  unauthorized: {
    status: 401,
    title: "A valid credential is required",
    cause: "No credential was sent, or it is unknown, revoked or expired.",
    remedy:
      "Get a credential in one of three ways. A person creates an API key at [/dashboard/keys](/dashboard/keys). An app signs its user in by OAuth 2.1; `WWW-Authenticate` of the answer leads to the metadata. An agent that knows its user's e-mail address registers as [/auth.md](/auth.md) says (`auth_url`). Send it as `Authorization: Bearer <token>`, or a key as `X-API-Key: <key>`. Cookies and query parameters are never read.",
  },
  payment_required: {
    status: 402,
    title: "The account has not bought credits yet",
    cause: "Indexing and checking need an account with at least one paid order.",
    remedy: "Get credits at `buy_url`, which leads to the packs or says who grants credits, then repeat the call.",
  },
  insufficient_credits: {
    status: 402,
    title: "The balance is too low",
    cause: "The call costs `needed` credits and the account holds `balance`. Nothing was spent.",
    remedy: "Get more credits at `buy_url`, or send fewer URLs. The same Idempotency-Key works again after a top-up.",
  },
  direct_payment_required: {
    status: 402,
    title: "Payment is required",
    cause: "This is the price of a direct payment, not a failure.",
    remedy: "Sign one of the offers and repeat the call with the signature and a credential.",
  },
  payment_invalid: {
    status: 402,
    title: "The payment was not accepted",
    cause: "`reason` says which check failed. No money moved.",
    remedy: "Read the price again and sign a new payment.",
  },
  insufficient_scope: {
    status: 403,
    title: "The credential lacks a scope",
    cause: "The operation needs the scope in `required_scope`, which this credential does not have.",
    remedy: "Use a credential with that scope, or ask the account owner to grant it.",
  },
  spending_limit: {
    status: 403,
    title: "The call exceeds a limit of the credential",
    cause:
      "The person of the account has limited what this credential may spend. `limit` names the limit (per_call, per_day, per_month or total; account_day or account_month where it is of all keys, apps and agents together; member_call, member_day, member_month or member_total where it is of the member for whom it acts), `needed` is what the call costs, `remaining` what the limit leaves, and `resets_at` when the limit begins again; null: never by itself. `limit` is account_disabled where the operator of the service has disabled the account, for `reason`: it reads, and neither spends nor buys. Nothing was spent.",
    remedy:
      "Send fewer URLs, wait until `resets_at`, or ask a person who manages the account to raise the limit at `approval_url`. get_spending shows all limits. If the account is disabled, ask the operator.",
  },
  approval_required: {
    status: 403,
    title: "A person has to approve the call",
    cause:
      "The call costs `needed` credits, more than this credential may spend without an approval. Nothing was spent. The person of the account is asked, and mailed.",
    remedy:
      "Give `approval_url` to your user. Once it is approved, repeat exactly the same call with the same credential within 24 hours: it goes through once. Over A2A the task waits, and goes on by itself. `expires_at` is when the question ends.",
  },
  forbidden_origin: {
    status: 403,
    title: "The request comes from a foreign origin",
    cause: "The service listens on this machine only, and the `Host` or `Origin` header names another one.",
    remedy: "Call it as localhost or 127.0.0.1, or set SITE_URL to the address it is reached at.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    cause: "The address or id does not exist, or belongs to another account.",
    remedy: "List what the account has with list_projects or list_orders.",
  },
  direct_payment_disabled: {
    status: 404,
    title: "Direct payment is not enabled",
    cause: "This deployment does not take direct payments.",
    remedy: "Get credits as `get_pricing` says at `buy_url`.",
  },
  purchases_disabled: {
    status: 404,
    title: "Credits are not sold here",
    cause: "Whoever runs this deployment grants credits, and sells none.",
    remedy: "Ask for credits at `contact`.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed at this address",
    cause: "The `Allow` header lists the methods that are.",
    remedy: "Use one of the allowed methods.",
  },
  idempotency_in_flight: {
    status: 409,
    title: "The first call with this key is still running",
    cause: "Another call with the same Idempotency-Key has not finished.",
    remedy: "Wait `Retry-After` seconds and repeat the call with the same key and body.",
  },
  claimed_or_in_flight: {
    status: 409,
    title: "The registration was already answered",
    cause: "The user has approved or declined it, or it is locked after five wrong codes.",
    remedy: "Poll the token endpoint for the result. After `access_denied`, stop.",
  },
  claim_expired: {
    status: 410,
    title: "The registration has expired",
    cause: "It was not claimed within 24 hours.",
    remedy: "Register again.",
  },
  payload_too_large: {
    status: 413,
    title: "The request body is too large",
    cause: "The body is over the limit of this operation.",
    remedy: "Send fewer URLs in one request.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body must be JSON",
    cause: "The Content-Type is not application/json, or the body is compressed.",
    remedy: "Send `Content-Type: application/json` and an uncompressed UTF-8 body.",
  },
  idempotency_mismatch: {
    status: 422,
    title: "The Idempotency-Key was used with other input",
    cause: "A call with this Idempotency-Key and different input succeeded in the last 24 hours.",
    remedy: "Use a new key for a new request, or repeat the first request unchanged.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    cause: "A limit per minute, hour or day was reached; the message says which.",
    remedy: "Wait `Retry-After` seconds.",
  },
  internal: {
    status: 500,
    title: "An internal error",
    cause: "An unexpected error occurred. Nothing was spent unless the project is listed.",
    remedy: "Repeat the call with the same Idempotency-Key. Report it if it keeps failing.",
  },
  unavailable: {
    status: 503,
    title: "The service is temporarily unavailable",
    cause: "It is too busy, or one of the services it depends on is not responding.",
    remedy: "Wait `Retry-After` seconds and repeat the call.",
  },
  settlement_pending: {
    status: 503,
    title: "The payment is being settled",
    cause: "The payment was submitted and its outcome is not known yet.",
    remedy: "Wait `Retry-After` seconds and repeat exactly the same call. Do not pay again.",
  },
} as const satisfies Record<string, { status: number; title: string; cause: string; remedy: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Fields that an error may carry in addition to code, message and docs. */
export type ErrorFields = Readonly<Record<string, unknown>>;

/**
 * An error that the caller can act on, and the only one that is shown as it is. Anything else that is thrown becomes
 * `internal`, and its text goes to the log alone.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly fields: ErrorFields;
  /** Extra HTTP headers, for example Retry-After. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.fields = fields;
    this.headers = headers;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

const LEADS_TO_BUYING: ReadonlySet<ErrorCode> = new Set(["payment_required", "insufficient_credits"]);

/** The body every surface sends for a refusal: `{ error: { code, message, …fields, docs } }`. */
export function errorEnvelope(refusal: Refusal, siteUrl: string) {
  return {
    error: {
      code: refusal.code,
      message: refusal.message,
      ...refusal.fields,
      ...(LEADS_TO_BUYING.has(refusal.code) ? { buy_url: `${siteUrl}/pricing` } : {}),
      ...(refusal.code === "unauthorized" ? { auth_url: `${siteUrl}/auth.md` } : {}),
      docs: `${siteUrl}/docs/errors/${refusal.code}`,
    },
  };
}

/** Turns anything thrown into a refusal that may be shown: `unavailable` where the database does not answer, else `internal`. */
export function toRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const unavailable = unavailableIn(thrown);
  if (unavailable) {
    addToRequest({ unavailable: unavailable.message });
    return new Refusal(
      "unavailable",
      unavailable.mayHaveHappened ? OUTCOME_UNKNOWN : NOTHING_CHANGED,
      {},
      { "Retry-After": "5" },
    );
  }
  return new Refusal("internal", "Something failed on our side. Repeat the call with the same Idempotency-Key.");
}

const NOTHING_CHANGED = "The service cannot reach its database. Nothing was changed. Try again in a few seconds.";

/** For a connection that was lost between COMMIT and its answer. */
const OUTCOME_UNKNOWN =
  "The service lost the connection to its database during this request, which may or may not have been carried out. Repeat it in a few seconds with the same Idempotency-Key: it is carried out once only, and you get its result.";
