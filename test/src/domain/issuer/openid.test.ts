import { beforeEach, expect, test } from "vitest";
import { type Callback, type Handshake, type Issuer, IssuerFailure } from "../../../../src/domain/issuer/issuer.ts";
import { openIssuer } from "../../../../src/domain/issuer/open-issuer.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { scriptedIssuer } from "../../../support/issuer/scripted-issuer.ts";

const siteUrl = "https://beckon.test";
let now = Date.parse("2026-01-05T12:00:00Z");
const remote = await scriptedIssuer(() => now);
const http = createHttpClient({ siteUrl, contact: undefined, fetchAllowCidrs: [], fetchAllowPorts: [] });
const settings = { url: remote.url, clientId: "beckon", clientSecret: "s3cret: &", name: "Staff" };
const issuer = await openIssuer(settings, { siteUrl, http });
const handshake: Handshake = { state: "a state", nonce: "a nonce", verifier: "v".repeat(43) };

beforeEach(() => {
  Object.assign(remote, { claims: {}, userinfo: {}, metadata: {}, header: {}, replies: {} });
});

interface Trip {
  readonly via?: Issuer;
  /** Changes of the query with which the browser comes back; null takes a parameter away. */
  readonly answer?: Record<string, string | null>;
  readonly callback?: Partial<Callback>;
  readonly isAgain?: boolean;
}

/** A browser goes to the issuer and comes back. */
async function trip({ via = issuer, answer = {}, callback = {}, isAgain = false }: Trip = {}) {
  const address = await via.authorizationUrl({ ...handshake, isAgain });
  return via.redeem({ ...handshake, query: remote.authorize(address, answer), now, ...callback });
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => "nothing",
    (failure: unknown) => failure,
  );
  if (!(thrown instanceof IssuerFailure)) throw thrown;
  return thrown.problem;
}

test("a browser is sent with PKCE, state and nonce, and is asked for when its person signed in there", async () => {
  const address = await issuer.authorizationUrl({ ...handshake, isAgain: false });
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: "beckon",
    response_type: "code",
    redirect_uri: "https://beckon.test/sign-in/oidc/callback",
    scope: "openid email",
    state: "a state",
    nonce: "a nonce",
    code_challenge_method: "S256",
    max_age: "2592000",
    claims: '{"id_token":{"auth_time":{"essential":true}}}',
  });
  expect(address.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
});

test("whoever signs in is known by issuer and subject", async () => {
  const { issuer: name, subject, authenticatedAt } = await trip();
  expect({ name, subject, authenticatedAt }).toEqual({ name: remote.url, subject: "ada", authenticatedAt: now });
  expect(remote.lastToken!.form.get("code_verifier")).toBe(handshake.verifier);
});

test.each([
  ["client_secret_basic", undefined],
  ["client_secret_basic", ["client_secret_post", "client_secret_basic"]],
  ["client_secret_post", ["client_secret_post"]],
])("the client proves itself by %s where the issuer offers %j", async (way, offered) => {
  remote.metadata = { token_endpoint_auth_methods_supported: offered };
  await trip();
  expect(remote.lastToken!.authorization?.startsWith("Basic ") ?? false).toBe(way === "client_secret_basic");
  expect(remote.lastToken!.form.get("client_secret")).toBe(way === "client_secret_basic" ? null : "s3cret: &");
});

test("a public client has no secret: PKCE protects it", async () => {
  const via = await openIssuer({ ...settings, clientSecret: undefined }, { siteUrl, http });
  await trip({ via });
  expect(remote.lastToken!.authorization).toBeUndefined();
  expect(remote.lastToken!.form.get("client_id")).toBe("beckon");
});

test.each<[string, Partial<typeof remote>, Trip?]>([
  ["a state of another sign-in", {}, { answer: { state: "another" } }],
  ["no state", {}, { answer: { state: null } }],
  ["the answer of another issuer (RFC 9207)", {}, { answer: { iss: "https://evil.example" } }],
  ["no iss where the issuer says that it sends one", {}, { answer: { iss: null } }],
  ["an ID token of another issuer", { claims: { iss: "https://evil.example" } }],
  ["an ID token for another client", { claims: { aud: "other" } }],
  ["an ID token for several, presented by another", { claims: { aud: ["beckon", "other"], azp: "other" } }],
  ["an ID token for several, presented by nobody", { claims: { aud: ["beckon", "other"] } }],
  ["an ID token with another nonce", { claims: { nonce: "another" } }],
  ["an ID token without a nonce", { claims: { nonce: undefined } }],
  ["an ID token that has expired", { claims: { exp: Math.floor(now / SECOND) - 61 } }],
  ["an ID token without an end", { claims: { exp: undefined } }],
  ["an ID token that is not valid yet", { claims: { nbf: Math.floor(now / SECOND) + 61 } }],
  ["an ID token without a subject", { claims: { sub: undefined } }],
  ["an ID token with an empty subject", { claims: { sub: "" } }],
  ["an ID token with a number as its subject", { claims: { sub: 7 } }],
  ["an ID token with a subject that is too long", { claims: { sub: "x".repeat(256) } }],
  ["an ID token with a subject that no database stores", { claims: { sub: "a\0b" } }],
  ["an ID token without a signature", { header: { alg: "none" } }],
  [
    "an ID token without a signature, which the issuer offers",
    {
      header: { alg: "none" },
      metadata: { id_token_signing_alg_values_supported: ["none", "RS256"] },
    },
  ],
  [
    "an ID token signed with a shared secret",
    {
      header: { alg: "HS256" },
      metadata: { id_token_signing_alg_values_supported: ["HS256", "RS256"] },
    },
  ],
  ["an ID token of a key that the issuer does not publish", { header: { kid: "another" } }],
  ["no ID token", { replies: { "/token": { body: { access_token: "at", token_type: "Bearer" } } } }],
  ["an answer that is no JSON", { replies: { "/token": { body: "<html>", type: "text/html" } } }],
  ["a configuration of another issuer", { metadata: { issuer: "https://evil.example" } }],
  [
    "a redirect in place of a configuration",
    {
      replies: { "/.well-known/openid-configuration": { status: 302, body: {} } },
    },
  ],
  ["an endpoint without TLS on another scheme", { metadata: { token_endpoint: "ftp://evil.example/token" } }],
  ["no endpoint for tokens", { metadata: { token_endpoint: undefined } }],
])("invalid: %s", async (_, changes, how) => {
  Object.assign(remote, changes);
  expect(await problemOf(trip(how))).toBe("invalid");
});

test.each<[string, string]>([
  ["access_denied", "declined"],
  ["login_required", "declined"],
  ["<script>alert(1)</script>", "declined"],
])("declined: the issuer answers %s", async (error, problem) => {
  const failure = trip({ answer: { code: null, error, error_description: "<b>Call 0900</b>" } });
  expect(await problemOf(failure)).toBe(problem);
  expect(String(await failure.catch((thrown) => thrown))).not.toMatch(/0900|script|access_denied/);
});

test("invalid: a code that was used before", async () => {
  const address = await issuer.authorizationUrl({ ...handshake, isAgain: false });
  const callback = { ...handshake, query: remote.authorize(address), now };
  await issuer.redeem(callback);
  expect(await problemOf(issuer.redeem(callback))).toBe("invalid");
});

test.each<[string, Partial<typeof remote>]>([
  ["no connection", { replies: { "/.well-known/openid-configuration": "nothing" } }],
  ["an error of its own", { replies: { "/.well-known/openid-configuration": { status: 503, body: "down" } } }],
  ["an error of its own for the token", { replies: { "/token": { status: 500, body: { error: "server_error" } } } }],
  ["no keys", { replies: { "/jwks": "nothing" } }],
  ["more than it may say", { replies: { "/jwks": { body: { keys: ["x".repeat(300_000)] } } } }],
])("unreachable: %s", async (_, changes) => {
  Object.assign(remote, changes);
  expect(await problemOf(trip())).toBe("unreachable");
});

test("an issuer that was down lets people in as soon as it is up", async () => {
  remote.replies = { "/.well-known/openid-configuration": "nothing" };
  expect(await problemOf(trip())).toBe("unreachable");
  remote.replies = {};
  expect(await trip()).toMatchObject({ subject: "ada" });
});

test("keys rotate between two sign-ins, and while somebody is at the issuer", async () => {
  await trip();
  await remote.rotate();
  await trip();
  const address = await issuer.authorizationUrl({ ...handshake, isAgain: false });
  await remote.rotate();
  expect(await issuer.redeem({ ...handshake, query: remote.authorize(address), now })).toMatchObject({
    subject: "ada",
  });
});

test("clocks may differ by a minute, and ours is the service's", async () => {
  const ours = now;
  for (const ahead of [-50 * SECOND, 50 * SECOND]) {
    now = ours + ahead;
    remote.claims = { exp: Math.floor(now / SECOND) + 1, nbf: Math.floor(now / SECOND) };
    await trip({ callback: { now: ours } });
  }
  remote.claims = {};
  now = ours + 90 * 24 * HOUR;
  expect(await trip()).toMatchObject({ authenticatedAt: now });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>, string | null]>([
  ["verified, in the ID token", { email: "ada@example.com", email_verified: true }, {}, "ada@example.com"],
  ["verified, at the userinfo endpoint", {}, { email: "ada@example.com", email_verified: true }, "ada@example.com"],
  ["not verified", { email: "ada@example.com", email_verified: false }, {}, null],
  ["not said whether verified", { email: "ada@example.com" }, {}, null],
  ["the text true", { email: "ada@example.com", email_verified: "true" }, {}, null],
  ["the number 1", { email: "ada@example.com", email_verified: 1 }, {}, null],
  ["verified, without an address", { email_verified: true }, {}, null],
  ["an address that is no text", { email: ["ada@example.com"], email_verified: true }, {}, null],
  [
    "not verified in the ID token, verified elsewhere",
    { email: "ada@example.com", email_verified: false },
    { email: "ada@example.com", email_verified: true },
    null,
  ],
  ["nothing anywhere", {}, {}, null],
])("the address counts only as the issuer verified it: %s", async (_, claims, userinfo, email) => {
  Object.assign(remote, { claims, userinfo });
  expect(await (await trip()).verifiedEmail()).toBe(email);
});

test("invalid: the userinfo of somebody else", async () => {
  remote.userinfo = { sub: "eve", email: "eve@example.com", email_verified: true };
  expect(await problemOf((await trip()).verifiedEmail())).toBe("invalid");
});

test("an issuer without a userinfo endpoint tells of no address", async () => {
  remote.metadata = { userinfo_endpoint: undefined };
  expect(await (await trip()).verifiedEmail()).toBeNull();
});

test("whoever has to prove again who they are is sent with max_age 0, and auth_time shows that they did", async () => {
  const address = await issuer.authorizationUrl({ ...handshake, isAgain: true });
  expect(address.searchParams.get("max_age")).toBe("0");
  const provedSince = now - 5 * MINUTE;
  const proofAt = (at: number | undefined) => {
    remote.claims = { auth_time: at === undefined ? undefined : Math.floor(at / SECOND) };
    return problemOf(
      trip({ isAgain: true, callback: { provedSince } }).then(() =>
        Promise.reject(new IssuerFailure("declined", "proved")),
      ),
    );
  };
  expect(await proofAt(provedSince)).toBe("declined");
  expect(await proofAt(now)).toBe("declined");
  expect(await proofAt(provedSince - 2 * MINUTE)).toBe("not_again");
  expect(await proofAt(undefined)).toBe("no_time");
});

test.each([["later"], [-1], [Number.NaN]])("auth_time that is no time says nothing: %s", async (time) => {
  remote.claims = { auth_time: time };
  const outcome = await trip().then(
    ({ authenticatedAt }) => authenticatedAt,
    (thrown: IssuerFailure) => thrown.problem,
  );
  expect([null, "invalid"]).toContain(outcome);
});

test("where people sign out of the issuer, too", async () => {
  const url = await issuer.signOutUrl();
  expect(url!.href.split("?")[0]).toBe(`${remote.url}/end`);
  expect(url!.searchParams.get("client_id")).toBe("beckon");
  remote.metadata = { end_session_endpoint: undefined };
  expect(await issuer.signOutUrl()).toBeNull();
});

test("the doctor counts the keys that sign, and compares clocks", async () => {
  const { keys, aheadMs } = await issuer.examine();
  expect(keys).toBe(1);
  expect(Math.abs(aheadMs!)).toBeLessThan(MINUTE);
  remote.replies = { "/jwks": { body: { keys: [{ kty: "RSA", use: "enc" }, null, { kty: "oct" }] } } };
  expect(await issuer.examine()).toMatchObject({ keys: 0 });
});
