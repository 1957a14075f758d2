import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { WRITE_SCOPE } from "../../../../domain/connections/connections.ts";
import { MINUTE, SECOND } from "../../../../platform/clock.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf, objectIn } from "../api.ts";

/**
 * Google's OAuth 2.0 for web servers (https://developers.google.com/identity/protocols/oauth2/web-server), with PKCE
 * (RFC 7636) and the nonce of OpenID Connect.
 */
const NAME = "google_oauth";
const CONSENT = "google_accounts";
export const READ_SCOPE = "https://www.googleapis.com/auth/webmasters.readonly";

/** The issuer of Google's ID tokens; the second is an older form (https://developers.google.com/identity/openid-connect). */
export const ISSUERS: readonly string[] = ["https://accounts.google.com", "accounts.google.com"];

/** Whether people can connect their Search Console here. */
export function hasGoogleClient({ settings }: Pick<Api, "settings">): boolean {
  return settings.GOOGLE_CLIENT_ID !== undefined && settings.GOOGLE_CLIENT_SECRET !== undefined;
}

/** Where the consent is asked for. */
export function consentAddress({ settings }: Pick<Api, "settings">): string {
  return settings.urls[CONSENT] ?? "https://accounts.google.com";
}

interface ConsentRequest {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly withSitemaps: boolean;
  readonly redirectUri: string;
}

/** The address of Google's consent. `prompt=consent`: only then a refresh token comes each time. */
export function consentUrl(api: Pick<Api, "settings">, asked: ConsentRequest): string {
  const query = new URLSearchParams({
    client_id: api.settings.GOOGLE_CLIENT_ID!,
    redirect_uri: asked.redirectUri,
    response_type: "code",
    scope: `openid email ${asked.withSitemaps ? WRITE_SCOPE : READ_SCOPE}`,
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: createHash("sha256").update(asked.verifier).digest("base64url"),
    code_challenge_method: "S256",
    access_type: "offline",
    prompt: "consent select_account",
  });
  return `${consentAddress(api)}/o/oauth2/v2/auth?${query}`;
}

/** What Google gives for a code. */
export interface Granted {
  readonly accessToken: string;
  /** Null: Google gave none. */
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  /** The claims of the ID token; null where there is none that is for us. */
  readonly person: { readonly subject: string; readonly email: string } | null;
}

/** Exchanges a code. @returns null: Google does not take it @throws UpstreamFailure */
export async function exchangeCode(
  api: Api,
  { code, verifier, nonce, redirectUri }: { code: string; verifier: string; nonce: string; redirectUri: string },
): Promise<Granted | null> {
  const grant = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
  const answer = await post(api, "token", { ...client(api), ...grant });
  if (answer.status === 400 && objectIn(answer).error === "invalid_grant") return null;
  const { access_token, refresh_token, scope, id_token } = tokensIn(api, answer);
  return {
    accessToken: String(access_token),
    refreshToken: typeof refresh_token === "string" && refresh_token !== "" ? refresh_token : null,
    scopes: typeof scope === "string" ? scope.split(" ") : [],
    person: personIn(api, id_token, nonce),
  };
}

/**
 * Whose the tokens are. The ID token came from Google itself over TLS, so its signature need not be checked (OpenID Connect
 * Core 1.0 section 3.1.3.7); whom it is for is.
 */
function personIn(api: Api, idToken: unknown, nonce: string): Granted["person"] {
  try {
    const { iss, aud, exp, nonce: answered, sub, email } = decodeJwt(String(idToken));
    const isOurs = ISSUERS.includes(String(iss)) && aud === api.settings.GOOGLE_CLIENT_ID && answered === nonce;
    const isValid = typeof exp === "number" && exp * SECOND > api.clock.now() - MINUTE;
    if (!isOurs || !isValid || typeof sub !== "string" || sub === "") return null;
    return { subject: sub, email: typeof email === "string" ? email : "a Google account" };
  } catch {
    return null;
  }
}

/** A new access token; null: Google takes the refresh token no more. @throws UpstreamFailure */
export async function refreshToken(
  api: Api,
  token: string,
): Promise<{ text: string; until: number; replaced: string | null } | null> {
  const now = api.clock.now();
  const answer = await post(api, "token", { ...client(api), grant_type: "refresh_token", refresh_token: token });
  if (answer.status === 400 && objectIn(answer).error === "invalid_grant") return null;
  const { access_token, expires_in, refresh_token } = tokensIn(api, answer);
  const until = now + (typeof expires_in === "number" ? expires_in * SECOND : MINUTE);
  return { text: String(access_token), until, replaced: typeof refresh_token === "string" ? refresh_token : null };
}

/** Ends the access that a person has given (RFC 7009). @returns false: Google did not answer, so that it may last */
export async function revokeToken(api: Api, token: string): Promise<boolean> {
  const answer = await post(api, "revoke", { token }).catch(() => null);
  // 400: it had ended before.
  return answer !== null && (answer.status === 200 || answer.status === 400);
}

/** Whether Google takes the client; a token that does not exist shows it. @throws UpstreamFailure */
export async function tryGoogleClient(api: Api): Promise<null> {
  const grant = { grant_type: "refresh_token", refresh_token: "none" };
  const answer = await post(api, "token", { ...client(api), ...grant });
  if (answer.status === 400 && objectIn(answer).error === "invalid_grant") return null;
  throw failureIn(api, answer);
}

function client({ settings }: Api) {
  return { client_id: settings.GOOGLE_CLIENT_ID ?? "", client_secret: settings.GOOGLE_CLIENT_SECRET ?? "" };
}

function post(api: Api, path: "token" | "revoke", form: Record<string, string>): Promise<ApiResponse> {
  const url = `${baseOf(api, NAME, "https://oauth2.googleapis.com")}/${path}`;
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return ask(api, NAME, { method: "POST", url, headers, body: new URLSearchParams(form).toString() });
}

function tokensIn(api: Api, answer: ApiResponse): Record<string, unknown> {
  if (answer.status !== 200) throw failureIn(api, answer);
  const tokens = Object(jsonOf(NAME, answer)) as Record<string, unknown>;
  const { access_token: token } = tokens;
  if (typeof token !== "string" || token === "") throw new UpstreamFailure(NAME, "bad_answer");
  return tokens;
}

/** What Google's errors mean (RFC 6749 section 5.2): the client is the operator's. */
function failureIn(api: Api, answer: ApiResponse): UpstreamFailure {
  const answers = { invalid_client: "unauthorized", unauthorized_client: "unauthorized" } as const;
  return failureOf(api, NAME, answer, answers, objectIn(answer).error);
}
