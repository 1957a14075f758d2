import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AuthorizationValidation,
  validateAuthorizationRequest,
} from "../../../../src/domain/oauth/authorization.ts";
import { registerClient } from "../../../../src/domain/oauth/clients.ts";
import { SCOPES } from "../../../../src/platform/principal.ts";
import { testStore } from "../../../support/database/store.ts";
import { CHALLENGE } from "../../../support/oauth/app.ts";

const SITE = "https://beckon.test";
const BACK = "https://app.example/cb?tenant=1";

const store = await testStore();
afterAll(() => store.close());
let good: Record<string, string>;
/** A client that is registered for `read index`. */
let modest: string;
beforeAll(async () => {
  const app = { name: "Test", redirectUris: [BACK, "http://localhost/cb"], scopes: SCOPES, now: 0 };
  const { id } = await store.db.tx((tx) => registerClient(tx, app));
  const least = await store.db.tx((tx) => registerClient(tx, { ...app, scopes: ["read", "index"] }));
  modest = least.id;
  good = {
    response_type: "code",
    client_id: id,
    redirect_uri: BACK,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: "read index",
    state: "s t&a=te",
  };
});

type Changes = Readonly<Record<string, string | null | readonly string[]>>;

/** The request with changes: null takes a parameter away, a list sends it several times. */
function ask(changes: Changes = {}): Promise<AuthorizationValidation> {
  const query = new URLSearchParams(Object.entries(good).filter(([name]) => !(name in changes)));
  for (const [name, value] of Object.entries(changes)) {
    for (const one of value === null ? [] : [value].flat()) query.append(name, one);
  }
  return validateAuthorizationRequest(
    { db: store.db, siteUrl: SITE, siteUrls: [SITE], documents: null },
    query,
    "acc_1",
  );
}

/** What the app is told: its parameters, in order. */
function paramsOf(outcome: AuthorizationValidation): Record<string, string> {
  if (!("redirectTo" in outcome)) throw new Error(JSON.stringify(outcome));
  expect(outcome.redirectTo.startsWith(`${BACK}&error=`)).toBe(true);
  expect(outcome.redirectTo).toMatch(/^[\x21-\x7e]+$/);
  const { tenant: _, error_description, ...rest } = Object.fromEntries(new URL(outcome.redirectTo).searchParams);
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{10,}$/);
  return rest;
}

test("a complete request is shown to the user", async () => {
  expect(await ask()).toEqual({
    request: {
      client: { id: good.client_id, name: "Test", redirectUris: [BACK, "http://localhost/cb"], scopes: SCOPES },
      redirectUri: BACK,
      challenge: CHALLENGE,
      requestedScopes: ["read", "index"],
      preselectedScopes: ["read"],
      audience: "",
      state: "s t&a=te",
    },
  });
});

test("a loopback redirect keeps the port of the request", async () => {
  expect(await ask({ redirect_uri: "http://localhost:49152/cb" })).toMatchObject({
    request: { redirectUri: "http://localhost:49152/cb" },
  });
});

describe("refused with an error page, without a redirect", () => {
  test.each<[string, string, Changes]>([
    ["no client_id", "client_missing", { client_id: null }],
    ["an empty client_id", "client_missing", { client_id: "" }],
    ["two client_ids", "client_missing", { client_id: ["cli_a", "cli_b"] }],
    ["an unknown client_id", "client_unknown", { client_id: "cli_00000000000000000000" }],
    ["a document where none are fetched", "client_unknown", { client_id: "https://app.example/client.json" }],
    ["a document by http", "client_unknown", { client_id: "http://app.example/client.json" }],
    ["no redirect_uri", "redirect_missing", { redirect_uri: null }],
    ["an empty redirect_uri", "redirect_missing", { redirect_uri: "" }],
    ["two redirect_uris", "redirect_missing", { redirect_uri: [BACK, BACK] }],
    ["a redirect_uri elsewhere", "redirect_unknown", { redirect_uri: "https://evil.example/cb" }],
    ["one with more in its query", "redirect_unknown", { redirect_uri: `${BACK}&x=1` }],
    ["one with a line break", "redirect_unknown", { redirect_uri: `${BACK}\r\nSet-Cookie: a=b` }],
    ["javascript:", "redirect_unknown", { redirect_uri: "javascript:alert(1)" }],
    ["loopback that is not", "redirect_unknown", { redirect_uri: "http://localhost:1@evil.example/cb" }],
  ])("%s", async (_, refused, changes) => {
    expect(await ask(changes)).toEqual({ refused });
    // Also where much else is wrong.
    expect(await ask({ response_type: "token", scope: "none", state: "x\r\n", ...changes })).toEqual({ refused });
  });
});

const HALF = CHALLENGE.slice(0, 42);

describe("answered to the app with an error, state and issuer", () => {
  test.each<[string, string, Changes]>([
    ["no response_type", "invalid_request", { response_type: null }],
    ["an empty response_type", "invalid_request", { response_type: "" }],
    ["response_type=token", "unsupported_response_type", { response_type: "token" }],
    ["response_type=code id_token", "unsupported_response_type", { response_type: "code id_token" }],
    ["response_mode=fragment", "invalid_request", { response_mode: "fragment" }],
    ["response_mode=form_post", "invalid_request", { response_mode: "form_post" }],
    ["no PKCE", "invalid_request", { code_challenge: null, code_challenge_method: null }],
    ["PKCE without a method, which is plain", "invalid_request", { code_challenge_method: null }],
    ["PKCE by plain", "invalid_request", { code_challenge_method: "plain" }],
    ["PKCE by s256", "invalid_request", { code_challenge_method: "s256" }],
    ["a method without a challenge", "invalid_request", { code_challenge: "" }],
    ["a challenge that is short", "invalid_request", { code_challenge: HALF }],
    ["a challenge that is long", "invalid_request", { code_challenge: `${CHALLENGE}a` }],
    ["a challenge in plain base64", "invalid_request", { code_challenge: `${HALF}+` }],
    ["a challenge that is padded", "invalid_request", { code_challenge: `${HALF}=` }],
    ["a challenge with a line break", "invalid_request", { code_challenge: `${CHALLENGE}\n` }],
    ["unknown scopes only", "invalid_scope", { scope: "openid profile" }],
    ["an unknown scope and offline_access", "invalid_scope", { scope: "openid offline_access" }],
    ["scopes by commas", "invalid_scope", { scope: "read,index" }],
    ["scopes in capitals", "invalid_scope", { scope: "READ" }],
    ["a resource elsewhere", "invalid_target", { resource: "https://evil.example/mcp" }],
    ["a resource that is none here", "invalid_target", { resource: `${SITE}/oauth` }],
    ["a resource with two slashes behind", "invalid_target", { resource: `${SITE}/mcp//` }],
    ["a resource with a query", "invalid_target", { resource: `${SITE}/api/v1?x=1` }],
    ["a resource with a fragment", "invalid_target", { resource: `${SITE}/mcp#x` }],
    ["two resources", "invalid_target", { resource: [`${SITE}/mcp`, `${SITE}/a2a`] }],
    ["a resource and the whole service", "invalid_target", { resource: [`${SITE}/mcp`, SITE] }],
    ["a resource and one elsewhere", "invalid_target", { resource: [`${SITE}/mcp`, "https://evil.example/"] }],
    ["a request object", "invalid_request", { request: "eyJhbGciOiJub25lIn0.e30." }],
    ["a request by address", "invalid_request", { request_uri: "https://169.254.169.254/" }],
    ["a scope twice", "invalid_request", { scope: ["read", "index"] }],
    ["a challenge twice", "invalid_request", { code_challenge: [CHALLENGE, CHALLENGE] }],
    ["response_type twice", "invalid_request", { response_type: ["code", "code"] }],
    ["a stranger's parameter twice", "invalid_request", { "x<script>": ["1", "2"] }],
  ])("%s", async (_, error, changes) => {
    expect(paramsOf(await ask(changes))).toEqual({ error, state: "s t&a=te", iss: SITE });
  });

  test.each<[string, Changes]>([
    ["a state with a line break", { state: "x\r\nSet-Cookie: a=b" }],
    ["a state beyond ASCII", { state: "zustand-ü" }],
    ["a state with NUL", { state: "a\u0000" }],
    ["a state of 4,097 characters", { state: "x".repeat(4_097) }],
    ["two states", { state: ["a", "b"] }],
  ])("%s is not returned", async (_, changes) => {
    expect(paramsOf(await ask(changes))).toEqual({ error: "invalid_request", iss: SITE });
  });
});

test("of several errors the first one checked is returned", async () => {
  const wrong = { response_type: "token", code_challenge: null, scope: "none", resource: "x" };
  const errorOf = async (changes: Changes) => {
    const outcome = await ask(changes);
    return "redirectTo" in outcome ? new URL(outcome.redirectTo).searchParams.get("error") : outcome;
  };
  expect(await errorOf({ ...wrong, scope: ["a", "b"] })).toBe("invalid_request");
  expect(await errorOf(wrong)).toBe("unsupported_response_type");
  expect(await errorOf({ ...wrong, response_type: "code" })).toBe("invalid_request");
  expect(await errorOf({ scope: "none", resource: "x" })).toBe("invalid_scope");
  expect(await errorOf({ resource: "x", request: "x" })).toBe("invalid_target");
});

describe("scopes and audience", () => {
  test.each<[string, Changes, object]>([
    [
      "no scope: all are offered, the least is ticked",
      { scope: null },
      { requestedScopes: ["read", "index", "purchase"], preselectedScopes: ["read"] },
    ],
    [
      "an empty scope: the same",
      { scope: "" },
      { requestedScopes: ["read", "index", "purchase"], preselectedScopes: ["read"] },
    ],
    [
      "all of them",
      { scope: "purchase index read" },
      { requestedScopes: ["read", "index", "purchase"], preselectedScopes: ["read"] },
    ],
    [
      "known and unknown ones",
      { scope: "openid index offline_access" },
      { requestedScopes: ["index"], preselectedScopes: [] },
    ],
    [
      "offline_access alone: as without a scope",
      { scope: "offline_access" },
      { requestedScopes: ["read", "index", "purchase"], preselectedScopes: ["read"] },
    ],
    ["one twice", { scope: "read read" }, { requestedScopes: ["read"], preselectedScopes: ["read"] }],
    ["no resource: the whole service", {}, { audience: "" }],
    ["the whole service", { resource: SITE }, { audience: "" }],
    ["the whole service, with a slash", { resource: `${SITE}/` }, { audience: "" }],
    ["MCP", { resource: `${SITE}/mcp` }, { audience: "/mcp" }],
    ["MCP, with a slash", { resource: `${SITE}/mcp/` }, { audience: "/mcp" }],
    ["MCP, twice and in two spellings", { resource: [`${SITE}/mcp/`, `${SITE}/mcp`] }, { audience: "/mcp" }],
    ["MCP with toolsets", { resource: `${SITE}/mcp?toolsets=jobs,webhooks` }, { audience: "/mcp" }],
    [
      "MCP in capitals, and with toolsets",
      { resource: ["HTTPS://BECKON.TEST/mcp", `${SITE}/mcp?x`] },
      { audience: "/mcp" },
    ],
    ["the API", { resource: `${SITE}/api/v1` }, { audience: "/api/v1" }],
    ["response_mode=query", { response_mode: "query" }, { audience: "" }],
    ["prompt, which is unknown here: consent is always asked for", { prompt: "none" }, { audience: "" }],
    ["no state", { state: null }, { state: undefined }],
    ["an empty state", { state: "" }, { state: undefined }],
    ["a state of 4,096 characters", { state: "~".repeat(4_096) }, { state: "~".repeat(4_096) }],
    ["parameters that nobody knows", { nonce: "x", prompt: "none" }, { audience: "" }],
  ])("%s", async (_, changes, part) => {
    expect(await ask(changes)).toMatchObject({ request: part });
  });

  test("a client may request the scopes that it is registered for, and no other", async () => {
    const both = { requestedScopes: ["read", "index"], preselectedScopes: ["read"] };
    expect(await ask({ client_id: modest, scope: null })).toMatchObject({ request: both });
    expect(await ask({ client_id: modest, scope: "read index purchase" })).toMatchObject({ request: both });
    expect(paramsOf(await ask({ client_id: modest, scope: "purchase" }))).toMatchObject({ error: "invalid_scope" });
  });
});
