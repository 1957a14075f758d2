import { createHash, randomUUID } from "node:crypto";
import type { Fake, Received, Reply } from "./fake.ts";
import type { World } from "./world.ts";

/** The OAuth client that Google knows. */
export const GOOGLE_CLIENT_ID = "1234-fake.apps.googleusercontent.com";
export const ISSUER = "https://accounts.google.com";

interface Code {
  readonly person: string;
  readonly scope: string;
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
  refreshToken: string | null;
}

/**
 * Google's consent page (mount `google_accounts`), and its token and revocation endpoints for web servers (`google_oauth`). The
 * page has a link for each person of the world, one that leaves the permission for Search Console out, and one that refuses.
 */
export const googleConsent: Fake = (world) => {
  const codes = new Map<string, Code>();
  return {
    google_accounts: (request) => (request.path === "/o/oauth2/v2/auth" ? consent(world, codes, request) : NOT_FOUND),
    google_oauth(request) {
      const form = new URLSearchParams(request.body);
      if (request.method !== "POST") return NOT_FOUND;
      if (request.path === "/revoke") return revoke(world, form.get("token") ?? "");
      if (request.path !== "/token") return NOT_FOUND;
      const isClient =
        form.get("client_id") === GOOGLE_CLIENT_ID && form.get("client_secret") === world.keys.get("google_client");
      if (!isClient) return { status: 401, body: { error: "invalid_client", error_description: "Unauthorized" } };
      if (form.get("grant_type") === "authorization_code") return exchange(world, codes, form);
      return form.get("grant_type") === "refresh_token" ? refresh(world, form) : UNSUPPORTED;
    },
  };
};

const NOT_FOUND: Reply = { status: 404 };
const UNSUPPORTED: Reply = { status: 400, body: { error: "unsupported_grant_type" } };
const INVALID_GRANT: Reply = { status: 400, body: { error: "invalid_grant", error_description: "Bad Request" } };

function consent(world: World, codes: Map<string, Code>, { query }: Received): Reply {
  const text = (name: string) => query.get(name) ?? "";
  const isAsked = text("response_type") === "code" && text("code_challenge_method") === "S256";
  if (!isAsked || text("client_id") !== GOOGLE_CLIENT_ID || text("access_type") !== "offline")
    return { status: 400, headers: HTML, body: "Error 400: invalid_request" };
  const redirectUri = text("redirect_uri");
  const back = (more: Record<string, string>) =>
    `${redirectUri}?${new URLSearchParams({ state: text("state"), iss: ISSUER, ...more })}`.replaceAll("&", "&amp;");
  const codeFor = (person: string, scope: string) => {
    const code = `4/${randomUUID()}`;
    const asked = { challenge: text("code_challenge"), nonce: text("nonce"), redirectUri, refreshToken: null };
    codes.set(code, { person, scope, ...asked });
    return back({ code, scope });
  };
  const half = text("scope")
    .split(" ")
    .filter((scope) => !scope.includes("webmasters"))
    .join(" ");
  const links = [...world.googlePeople.keys()].flatMap((person) => [
    `<p><a href="${codeFor(person, text("scope"))}">Allow as ${person}</a></p>`,
    `<p><a href="${codeFor(person, half)}">Allow as ${person} without Search Console</a></p>`,
  ]);
  const body = `<!doctype html><title>Google</title>${links.join("")}<p><a href="${back({ error: "access_denied" })}">Cancel</a></p>`;
  return { status: 200, headers: HTML, body };
}

const HTML = { "Content-Type": "text/html; charset=utf-8" };

function exchange(world: World, codes: Map<string, Code>, form: URLSearchParams): Reply {
  const code = codes.get(form.get("code") ?? "");
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (!code || challenge !== code.challenge || form.get("redirect_uri") !== code.redirectUri) return INVALID_GRANT;
  if (code.refreshToken !== null) {
    // RFC 6749 section 4.1.2: a code that comes twice ends what it gave.
    endAll(world, code.person);
    return INVALID_GRANT;
  }
  code.refreshToken = `1//${randomUUID()}`;
  const { person, scope, nonce, refreshToken } = code;
  world.googleRefreshTokens.set(refreshToken, { person, scope });
  const now = Math.floor(world.clock.now() / 1000);
  const { subject, claims = {} } = world.googlePeople.get(person)!;
  const about = { iss: ISSUER, aud: GOOGLE_CLIENT_ID, sub: subject, email: person, email_verified: true, nonce };
  const id_token = jwtOf({ ...about, iat: now, exp: now + 3600, ...claims });
  return { status: 200, body: { ...accessToken(world, person, scope), refresh_token: refreshToken, scope, id_token } };
}

/** The receiver does not check the signature of what comes from Google itself. */
function jwtOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256", typ: "JWT", kid: "fake" })}.${part(claims)}.c2lnbmF0dXJl`;
}

function refresh(world: World, form: URLSearchParams): Reply {
  const known = world.googleRefreshTokens.get(form.get("refresh_token") ?? "");
  if (!known) return INVALID_GRANT;
  return { status: 200, body: { ...accessToken(world, known.person, known.scope), scope: known.scope } };
}

function accessToken(world: World, person: string, scope: string): object {
  const access_token = `ya29.${randomUUID()}`;
  world.googleTokens.set(access_token, { scope, person });
  return { access_token, expires_in: 3599, token_type: "Bearer" };
}

/** Google ends all that the person has given this client, whichever of the tokens comes. */
function revoke(world: World, token: string): Reply {
  const person = (world.googleRefreshTokens.get(token) ?? world.googleTokens.get(token))?.person;
  if (!person) return { status: 400, body: { error: "invalid_token", error_description: "Token expired or revoked" } };
  world.googleRevoked.push(person);
  endAll(world, person);
  return { status: 200, body: {} };
}

/** Ends all tokens of a person, as at myaccount.google.com. */
export function endAll(world: World, person: string): void {
  for (const tokens of [world.googleTokens, world.googleRefreshTokens])
    for (const [token, known] of tokens) if (known.person === person) tokens.delete(token);
}
