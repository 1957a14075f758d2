import type { Reader } from "../../../db/engine.ts";
import { OAuthError } from "../../platform/errors/oauth-errors.ts";
import type { Scope } from "../../platform/principal.ts";
import type { Audience } from "../credentials/resources.ts";
import { requestedScopes } from "../credentials/scopes.ts";
import { type ClientDocuments, type DocumentProblem, isDocumentUrl } from "./client-documents.ts";
import { type Client, clientOf } from "./clients.ts";
import { isRegisteredRedirect, withParameters } from "./redirects.ts";
import { requestedAudience } from "./requested-audience.ts";

/** A valid authorization request (RFC 6749 section 4.1.1), which the user can approve or decline. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** The PKCE code challenge, S256 (RFC 7636). */
  readonly challenge: string;
  /** The scopes that the app requests; all that it may request if it names none. */
  readonly requestedScopes: readonly Scope[];
  /** The scopes that are ticked on the consent page at first. */
  readonly preselectedScopes: readonly Scope[];
  readonly audience: Audience;
  readonly state: string | undefined;
}

/** The result of validation: an error page for the user, a redirect to the app with an error, or a valid request. */
export type AuthorizationValidation =
  | { readonly refused: UnredirectableError }
  | { readonly redirectTo: string }
  | { readonly request: AuthorizationRequest };

/** Why a request must not be answered by a redirect: its redirect URI cannot be trusted (RFC 6749 section 4.1.2.1). */
export type UnredirectableError =
  | "client_missing"
  | "client_unknown"
  | "redirect_missing"
  | "redirect_unknown"
  | DocumentProblem;

export interface AuthorizationServer {
  readonly db: Reader;
  /** The issuer: the origin by which it was called. */
  readonly siteUrl: string;
  readonly siteUrls: readonly string[];
  /** Null when the service accepts registered clients only. */
  readonly documents: ClientDocuments | null;
}

/**
 * Validates a request, from scratch each time.
 * @param accountId the account of the user who is signed in
 * @throws Refusal rate_limited
 */
export async function validateAuthorizationRequest(
  server: AuthorizationServer,
  parameters: URLSearchParams,
  accountId: string,
): Promise<AuthorizationValidation> {
  const query = withoutEmpty(parameters);
  const client = await clientIn(server, query, accountId);
  if ("refused" in client) return client;
  const redirectUri = redirectIn(query, client);
  if (typeof redirectUri !== "string") return redirectUri;
  const target = { redirectUri, state: stateIn(query) };
  try {
    refuseRepeated(query);
    refuseOtherThanCode(query);
    refuseOtherModes(query);
    const challenge = challengeIn(query);
    const scopes = requestedScopesIn(query, client);
    const audience = requestedAudience(server.siteUrls, query.getAll("resource")) ?? "";
    refuseRequestObjects(query);
    refuseBadState(query);
    return { request: { client, ...target, challenge, ...scopes, audience } };
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    return { redirectTo: authorizationErrorResponse(server, target, thrown) };
  }
}

/**
 * Why a request must not be answered by a redirect, as far as that can be told before sign-in. Everything else is
 * validated after it: a visitor who is not signed in is not redirected to an app (RFC 9700 section 4.11.2), and no client
 * document is fetched for one.
 */
export async function unredirectableError(
  server: AuthorizationServer,
  parameters: URLSearchParams,
): Promise<UnredirectableError | null> {
  const query = withoutEmpty(parameters);
  const [id, ...more] = query.getAll("client_id");
  if (server.documents && id !== undefined && more.length === 0 && isDocumentUrl(id)) return null;
  const client = await clientIn(server, query, null);
  if ("refused" in client) return client.refused;
  const redirectUri = redirectIn(query, client);
  return typeof redirectUri === "string" ? null : redirectUri.refused;
}

/** Drops parameters without a value, which are treated as omitted (RFC 6749 section 3.1). */
function withoutEmpty(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([, value]) => value !== ""));
}

type ResponseTarget = Pick<AuthorizationRequest, "redirectUri" | "state">;

/** The redirect that answers with an error (RFC 6749 section 4.1.2.1) and the issuer (RFC 9207). */
export function authorizationErrorResponse(
  server: Pick<AuthorizationServer, "siteUrl">,
  target: ResponseTarget,
  error: OAuthError,
): string {
  return redirectTo(server, target, { error: error.code, error_description: error.message });
}

/** The redirect that answers with a code (RFC 6749 section 4.1.2) and the issuer (RFC 9207). */
export function authorizationResponse(
  server: Pick<AuthorizationServer, "siteUrl">,
  target: ResponseTarget,
  code: string,
): string {
  return redirectTo(server, target, { code });
}

function redirectTo(
  { siteUrl }: Pick<AuthorizationServer, "siteUrl">,
  { redirectUri, state }: ResponseTarget,
  parameters: Readonly<Record<string, string>>,
): string {
  return withParameters(redirectUri, { ...parameters, ...(state === undefined ? {} : { state }), iss: siteUrl });
}

async function clientIn(
  { db, documents }: AuthorizationServer,
  query: URLSearchParams,
  accountId: string | null,
): Promise<Client | { readonly refused: UnredirectableError }> {
  const [id, ...more] = query.getAll("client_id");
  if (id === undefined || more.length > 0) return { refused: "client_missing" };
  if (!isDocumentUrl(id)) return (await clientOf(db, id)) ?? { refused: "client_unknown" };
  if (!documents || accountId === null) return { refused: "client_unknown" };
  const described = await documents.of(id, accountId);
  return "client" in described ? described.client : { refused: described.problem };
}

function redirectIn(query: URLSearchParams, client: Client): string | { readonly refused: UnredirectableError } {
  const [redirectUri, ...more] = query.getAll("redirect_uri");
  if (redirectUri === undefined || more.length > 0) return { refused: "redirect_missing" };
  return isRegisteredRedirect(client.redirectUris, redirectUri) ? redirectUri : { refused: "redirect_unknown" };
}

/** A parameter may be sent once (RFC 6749 section 3.1), except for resource (RFC 8707 section 2). */
function refuseRepeated(query: URLSearchParams): void {
  const names = [...query.keys()].filter((name) => name !== "resource");
  if (new Set(names).size < names.length)
    throw new OAuthError("invalid_request", "A parameter was sent more than once.");
}

function refuseOtherThanCode(query: URLSearchParams): void {
  const type = query.get("response_type");
  if (type === null) throw new OAuthError("invalid_request", "response_type is missing.");
  if (type !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code.");
}

function refuseOtherModes(query: URLSearchParams): void {
  if ((query.get("response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query.");
}

/** PKCE with S256 is required (RFC 7636); an absent method would mean plain. */
function challengeIn(query: URLSearchParams): string {
  const challenge = query.get("code_challenge");
  if (challenge === null) throw new OAuthError("invalid_request", "code_challenge is missing: PKCE is required.");
  if (query.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge is not a SHA-256 hash in base64url.");
  return challenge;
}

/**
 * Ignores unknown scopes, and scopes that the client is not registered for (RFC 6749 section 3.3). Without the parameter all
 * are offered. Nobody has verified the client, so only the user ticks scopes that spend.
 */
function requestedScopesIn(
  query: URLSearchParams,
  { scopes: most }: Client,
): Pick<AuthorizationRequest, "requestedScopes" | "preselectedScopes"> {
  const named = (requestedScopes(query.get("scope")) ?? most).filter((scope) => most.includes(scope));
  if (named.length === 0) throw new OAuthError("invalid_scope", `scope must name at least one of: ${most.join(", ")}.`);
  return { requestedScopes: named, preselectedScopes: named.filter((scope) => scope === "read") };
}

/** Request objects (RFC 9101) are not supported. */
function refuseRequestObjects(query: URLSearchParams): void {
  if (query.has("request") || query.has("request_uri"))
    throw new OAuthError("invalid_request", "request and request_uri are not supported: send plain parameters.");
}

function refuseBadState(query: URLSearchParams): void {
  if (query.has("state") && stateIn(query) === undefined)
    throw new OAuthError("invalid_request", "state must be printable ASCII of at most 4096 characters.");
}

/** The state, if it is well-formed and so can be returned (RFC 6749 appendix A.5). */
function stateIn(query: URLSearchParams): string | undefined {
  const [state, ...more] = query.getAll("state");
  return state !== undefined && more.length === 0 && /^[\x20-\x7e]{1,4096}$/.test(state) ? state : undefined;
}
