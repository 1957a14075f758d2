import type { Reader } from "../../../db/engine.ts";
import { OAuthError } from "../../platform/errors/oauth-errors.ts";
import { SCOPES, type Scope } from "../../platform/principal.ts";
import { type ClientDocuments, type DocumentProblem, isDocumentUrl } from "./client-documents.ts";
import { type Client, clientOf } from "./clients.ts";
import { isRegisteredRedirect, withParameters } from "./redirects.ts";
import { type Audience, audienceOf } from "./resources.ts";
import { scopesIn } from "./scopes.ts";

/** An authorization request (RFC 6749 section 4.1.1) that may be put to a user. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** S256 (RFC 7636). */
  readonly challenge: string;
  /** What the app asks for; all there is where it names nothing. */
  readonly requestedScopes: readonly Scope[];
  /** What is ticked before the user decides. */
  readonly preselectedScopes: readonly Scope[];
  readonly audience: Audience;
  readonly state: string | undefined;
}

/** What becomes of a request: it is refused to the user's face, or answered to the app, or put to the user. */
export type AuthorizationValidation =
  | { readonly refused: UnredirectableError }
  | { readonly redirectTo: string }
  | { readonly request: AuthorizationRequest };

/** Why a request can be answered to nobody: whoever sent the user here may be anyone (RFC 6749 section 4.1.2.1). */
export type UnredirectableError =
  | "client_missing"
  | "client_unknown"
  | "redirect_missing"
  | "redirect_unknown"
  | DocumentProblem;

export interface AuthorizationServer {
  readonly db: Reader;
  readonly siteUrl: string;
  /** Null: apps are known by registration only. */
  readonly documents: ClientDocuments | null;
}

/**
 * Looks at a request, from scratch each time.
 * @param accountId of who is signed in
 * @throws Refusal rate_limited
 */
export async function validateAuthorizationRequest(
  server: AuthorizationServer,
  given: URLSearchParams,
  accountId: string,
): Promise<AuthorizationValidation> {
  const query = withoutEmpty(given);
  const client = await clientIn(server, query, accountId);
  if ("refused" in client) return client;
  const redirectUri = redirectIn(query, client);
  if (typeof redirectUri !== "string") return redirectUri;
  const to = { redirectUri, state: stateIn(query) };
  try {
    refuseRepeated(query);
    refuseOtherThanCode(query);
    refuseOtherModes(query);
    const challenge = challengeIn(query);
    const scopes = scopesAsked(query);
    const audience = audienceAsked(query, server.siteUrl);
    refuseRequestObjects(query);
    refuseBadState(query);
    return { request: { client, ...to, challenge, ...scopes, audience } };
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    return { redirectTo: authorizationErrorResponse(server, to, thrown) };
  }
}

/**
 * Whether a request can be answered to nobody, before it is known who is asked. All else waits until then: a stranger
 * is sent nowhere (RFC 9700 section 4.11.2), and no document is fetched for one.
 */
export async function unredirectableError(
  server: AuthorizationServer,
  given: URLSearchParams,
): Promise<UnredirectableError | null> {
  const query = withoutEmpty(given);
  const [id, ...more] = query.getAll("client_id");
  if (server.documents && id !== undefined && more.length === 0 && isDocumentUrl(id)) return null;
  const client = await clientIn(server, query, null);
  if ("refused" in client) return client.refused;
  const redirectUri = redirectIn(query, client);
  return typeof redirectUri === "string" ? null : redirectUri.refused;
}

/** A parameter without a value is as if it were not there (RFC 6749 section 3.1). */
function withoutEmpty(given: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...given].filter(([, value]) => value !== ""));
}

type ResponseTarget = Pick<AuthorizationRequest, "redirectUri" | "state">;

/** Where a refusal is sent (RFC 6749 section 4.1.2.1), with who refuses (RFC 9207). */
export function authorizationErrorResponse(
  server: Pick<AuthorizationServer, "siteUrl">,
  to: ResponseTarget,
  error: OAuthError,
): string {
  return answer(server, to, { error: error.code, error_description: error.message });
}

/** Where a code is sent (RFC 6749 section 4.1.2). */
export function authorizationResponse(
  server: Pick<AuthorizationServer, "siteUrl">,
  to: ResponseTarget,
  code: string,
): string {
  return answer(server, to, { code });
}

function answer(
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

/** RFC 6749 section 3.1; only a resource may be there more than once (RFC 8707 section 2). */
function refuseRepeated(query: URLSearchParams): void {
  const names = [...query.keys()].filter((name) => name !== "resource");
  if (new Set(names).size < names.length) throw new OAuthError("invalid_request", "A parameter was sent twice.");
}

function refuseOtherThanCode(query: URLSearchParams): void {
  const type = query.get("response_type");
  if (type === null) throw new OAuthError("invalid_request", "response_type is missing.");
  if (type !== "code") throw new OAuthError("unsupported_response_type", "response_type has to be code.");
}

function refuseOtherModes(query: URLSearchParams): void {
  if ((query.get("response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode can only be query.");
}

/** PKCE with S256 (RFC 7636), without which there is no code; a method that is absent would mean plain. */
function challengeIn(query: URLSearchParams): string {
  const challenge = query.get("code_challenge");
  if (challenge === null) throw new OAuthError("invalid_request", "code_challenge is missing: PKCE is required.");
  if (query.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method has to be S256.");
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge is not a SHA-256 in base64url.");
  return challenge;
}

/** Unknown scopes are left out (RFC 6749 section 3.3). Who names none is offered all, with the least ticked. */
function scopesAsked(query: URLSearchParams): Pick<AuthorizationRequest, "requestedScopes" | "preselectedScopes"> {
  const text = query.get("scope");
  if (text === null) return { requestedScopes: SCOPES, preselectedScopes: ["read"] };
  const asked = scopesIn(text);
  if (asked.length === 0) throw new OAuthError("invalid_scope", `scope has to name some of: ${SCOPES.join(", ")}.`);
  return { requestedScopes: asked, preselectedScopes: asked };
}

/** What the app wants to reach (RFC 8707): the whole service, or one resource of it. */
function audienceAsked(query: URLSearchParams, siteUrl: string): Audience {
  const named = new Set(query.getAll("resource").map((resource) => audienceOf(siteUrl, resource)));
  const [audience = ""] = named;
  if (audience === null) throw new OAuthError("invalid_target", "resource is none of this service.");
  if (named.size > 1) throw new OAuthError("invalid_target", "A token is good for one resource: name one.");
  return audience;
}

/** Parameters by themselves are all that is read (RFC 9101). */
function refuseRequestObjects(query: URLSearchParams): void {
  if (query.has("request") || query.has("request_uri"))
    throw new OAuthError("invalid_request", "request and request_uri are not supported: send plain parameters.");
}

function refuseBadState(query: URLSearchParams): void {
  if (query.has("state") && stateIn(query) === undefined)
    throw new OAuthError("invalid_request", "state has to be printable ASCII of at most 2048 characters.");
}

/** What may be handed back as it came (RFC 6749 appendix A.5). */
function stateIn(query: URLSearchParams): string | undefined {
  const [state, ...more] = query.getAll("state");
  return state !== undefined && more.length === 0 && /^[\x20-\x7e]{1,2048}$/.test(state) ? state : undefined;
}
