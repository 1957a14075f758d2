import * as client from "openid-client";
import { DAY, SECOND } from "../../platform/clock.ts";
import type { IssuerSettings } from "../../platform/config/issuer.ts";
import { ApiFailure, type HttpClient } from "../../platform/http-client/http-client.ts";
import { isStorable } from "../../platform/text.ts";
import { type Callback, type Examination, type Issuer, IssuerFailure, type Subject } from "./issuer.ts";

/** How long the issuer may take for one answer. */
const PATIENCE_MS = 8 * SECOND;

/** Most bytes of one answer. */
const BYTES = 256 * 1024;

/** Seconds by which the issuer's clock may differ from ours. */
const TOLERANCE = 60;

/**
 * The age that a sign-in at the issuer may have, in seconds: as long as a session of ours lasts at most. Being asked for it
 * obliges an issuer to say when the person signed in there (OpenID Connect Core section 2, auth_time).
 */
const OLDEST = (30 * DAY) / SECOND;

/** The longest subject (OpenID Connect Core section 2, sub). */
const SUBJECT_LENGTH = 255;

interface Relations {
  readonly redirectUri: string;
  readonly siteUrl: string;
  readonly http: Pick<HttpClient, "callApi">;
}

/** An issuer by `openid-client`, which checks `iss`, `aud`, `azp`, times, state, nonce and PKCE (docs/decisions.md). */
export function openidIssuer(settings: IssuerSettings, relations: Relations): Issuer {
  const { redirectUri, siteUrl, http } = relations;
  const send = sendOver(http);
  const configuration = (now: number) => guarded(() => discover(settings, send, now));
  return {
    name: settings.name,
    async authorizationUrl({ state, nonce, verifier, isAgain }) {
      const config = await configuration(Date.now());
      const challenge = await client.calculatePKCECodeChallenge(verifier);
      return guarded(async () =>
        client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: "openid email",
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: "S256",
          max_age: String(isAgain ? 0 : OLDEST),
          // Some issuers say when the person signed in only if it is asked for by name (section 5.5).
          claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
        }),
      );
    },
    async redeem(callback) {
      const config = await configuration(callback.now);
      const tokens = await guarded(() => grant(config, redirectUri, callback));
      const subject = subjectOf(config, tokens);
      requireProofSince(callback.provedSince, subject);
      return subject;
    },
    async signOutUrl() {
      const config = await configuration(Date.now());
      const { end_session_endpoint: address } = config.serverMetadata();
      if (address === undefined) return null;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: siteUrl });
    },
    examine: () => examine(settings, send),
  };
}

/** The issuer's configuration, and with it no key: each sign-in reads the keys that are valid then. */
async function discover(
  { url, clientId, clientSecret }: IssuerSettings,
  send: client.CustomFetch,
  now: number,
): Promise<client.Configuration> {
  const isPlain = url.startsWith("http:");
  const skew = Math.round((now - Date.now()) / SECOND);
  const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: TOLERANCE };
  const authentication: client.ClientAuth = (as, own, body, headers) => {
    const { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] } = as;
    const isBasic = ways.includes("client_secret_basic");
    const way =
      clientSecret === undefined
        ? client.None()
        : (isBasic ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret);
    return way(as, own, body, headers);
  };
  return client.discovery(new URL(url), clientId, metadata, authentication, {
    [client.customFetch]: send,
    execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
  });
}

function grant(
  config: client.Configuration,
  redirectUri: string,
  { query, state, nonce, verifier }: Callback,
): Promise<Tokens> {
  const url = new URL(redirectUri);
  url.search = query;
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  return client.authorizationCodeGrant(config, url, checks);
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

function subjectOf(config: client.Configuration, tokens: Tokens): Subject {
  const { access_token: accessToken } = tokens;
  const claims = tokens.claims();
  if (!claims) throw new IssuerFailure("invalid", "no ID token");
  const { iss: issuer, sub: subject, auth_time: seconds } = claims;
  if (subject === "" || subject.length > SUBJECT_LENGTH || !isStorable(subject))
    throw new IssuerFailure("invalid", "subject");
  const authenticatedAt = typeof seconds === "number" && seconds >= 0 ? seconds * SECOND : null;
  return {
    issuer,
    subject,
    authenticatedAt,
    async verifiedEmail() {
      const hasEmail = "email" in claims || "email_verified" in claims;
      const { userinfo_endpoint: more } = config.serverMetadata();
      if (hasEmail || more === undefined) return verifiedIn(claims);
      return verifiedIn(await guarded(() => client.fetchUserInfo(config, accessToken, subject)));
    },
  };
}

/**
 * `max_age` alone is a wish: that the person did prove again who they are is shown by `auth_time`, which an issuer that is asked so has
 * to send (OpenID Connect Core section 3.1.2.1). Nothing else says it: `iat` is the time of the token.
 */
function requireProofSince(since: number | undefined, { authenticatedAt }: Subject): void {
  if (since === undefined) return;
  if (authenticatedAt === null)
    throw new IssuerFailure("no_time", "no auth_time, which max_age demands (OpenID Connect Core section 2)");
  if (authenticatedAt + TOLERANCE * SECOND < since) throw new IssuerFailure("not_again", "auth_time");
}

/** Some issuers write the text "true", others leave the claim out: neither says that the address was verified. */
function verifiedIn({ email, email_verified: isVerified }: Readonly<Record<string, unknown>>): string | null {
  return isVerified === true && typeof email === "string" ? email : null;
}

async function examine(settings: IssuerSettings, send: client.CustomFetch): Promise<Examination> {
  let aheadMs: number | null = null;
  const noting: client.CustomFetch = async (url, options) => {
    const answer = await send(url, options);
    const at = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(at)) aheadMs = Date.now() - at;
    return answer;
  };
  return guarded(async () => {
    const config = await discover(settings, noting, Date.now());
    const { jwks_uri: url } = config.serverMetadata();
    if (url === undefined) throw new IssuerFailure("invalid", "no jwks_uri");
    const answer = await noting(url, { method: "GET", headers: {}, body: undefined, redirect: "manual" });
    const set = (await answer.json()) as { keys?: unknown };
    const keys = Array.isArray(set?.keys) ? set.keys : [];
    return {
      keys: keys.filter((key) => key?.use !== "enc" && ["RSA", "EC", "OKP"].includes(key?.kty)).length,
      aheadMs,
    };
  });
}

/** What the library sends goes through the client of all outgoing requests: bounded in time and size, no redirects. */
function sendOver(http: Pick<HttpClient, "callApi">): client.CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== "GET" && method !== "POST") throw new IssuerFailure("invalid", "method");
    const sent = body === undefined || body === null ? {} : { body: String(body) };
    const answer = await http.callApi({ method, url, headers, ...sent, timeMs: PATIENCE_MS, maxBytes: BYTES });
    if (answer.status >= 500) throw new ApiFailure("broken", true);
    return new Response(answer.text || null, { status: answer.status, headers: saidIn(answer.headers) });
  };
}

function saidIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const names = ["content-type", "date", "www-authenticate"];
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

/** @throws IssuerFailure for whatever the library throws */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw failureOf(thrown);
  }
}

function failureOf(thrown: unknown): IssuerFailure {
  const causes = causesOf(thrown);
  const own = causes.find((cause) => cause instanceof IssuerFailure);
  if (own) return own;
  if (causes.some((cause) => cause instanceof ApiFailure)) return new IssuerFailure("unreachable", "no answer");
  const declined = causes.some((cause) => cause instanceof client.AuthorizationResponseError);
  if (declined) return new IssuerFailure("declined", "error in its answer");
  const code = causes.map((cause) => (cause as { code?: unknown }).code).find((one) => typeof one === "string");
  return new IssuerFailure("invalid", String(code ?? "no code"));
}

function causesOf(thrown: unknown): object[] {
  const causes: object[] = [];
  for (let at = thrown; typeof at === "object" && at !== null && causes.length < 8; at = (at as Error).cause)
    causes.push(at);
  return causes;
}
