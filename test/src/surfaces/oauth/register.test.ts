import { afterAll, describe, expect, test } from "vitest";
import { HOUR } from "../../../../src/platform/clock.ts";
import { testService } from "../../../support/service/service.ts";

// One proxy stands in front, so that callers can have addresses.
const service = await testService({ config: { trustProxy: 1 } });
afterAll(() => service.close());

let callers = 0;
const someone = () => `192.0.2.${++callers}`;
const GOOD = {
  client_name: "Test app",
  redirect_uris: ["http://127.0.0.1:7777/callback", "cursor://anysphere.cursor-mcp/oauth/callback"],
  token_endpoint_auth_method: "none",
};

async function register(metadata: unknown, ip = someone(), headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": ip, ...headers },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, json };
}

test("201: a public client, with all its registered metadata", async () => {
  const { status, headers, json } = await register(GOOD);
  expect(status).toBe(201);
  expect(json).toEqual({
    client_id: expect.stringMatching(/^cli_[0-9a-z]{20}$/),
    client_id_issued_at: service.clock.now() / 1000,
    client_name: "Test app",
    redirect_uris: GOOD.redirect_uris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: "read index purchase",
  });
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

describe("201", () => {
  test.each<[string, object, object]>([
    ["without a method: none, and it says so", { token_endpoint_auth_method: undefined }, {}],
    ["null for what may be absent", { token_endpoint_auth_method: null, client_name: null }, { client_name: "An app" }],
    ["without a name", { client_name: undefined }, { client_name: "An app" }],
    ["a name that hides something", { client_name: "A\u202eb\u200b\r\nc" }, { client_name: "Ab c" }],
    [
      "HTML in a name is text",
      { client_name: "<img src=x onerror=alert(1)>" },
      { client_name: "<img src=x onerror=alert(1)>" },
    ],
    ["other grants and responses: ours", { grant_types: ["client_credentials"], response_types: ["token"] }, {}],
    ["a scope: it is kept", { scope: "index read" }, { scope: "read index" }],
    [
      "members that nobody knows",
      { client_uri: "javascript:x", jwks: 7, application_type: "web", scope: "openid" },
      {},
    ],
    ["client_secret_post: none instead", { token_endpoint_auth_method: "client_secret_post" }, {}],
    ["client_secret_basic: none instead", { token_endpoint_auth_method: "client_secret_basic" }, {}],
    [
      "none among several methods",
      {
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      },
      {},
    ],
    ["scopes twice and unknown ones", { scope: "read read offline_access index openid" }, { scope: "read index" }],
    [
      "redirect URIs that cannot be used are left out, and the answer has the others",
      { redirect_uris: ["http://[::1]:7777/cb", "https://a.example/cb", "javascript:x", 7, "http://localhost/cb"] },
      { redirect_uris: ["https://a.example/cb", "http://localhost/cb"] },
    ],
    [
      "ten that can be used among more",
      { redirect_uris: [...Array(5).fill("http://app.example/"), ...Array(10).fill("https://a.example/cb")] },
      { redirect_uris: Array(10).fill("https://a.example/cb") },
    ],
    ["a client_id of its own is not taken", { client_id: "cli_mine", client_secret: "x" }, {}],
  ])("%s", async (_, changes, part) => {
    const { status, json } = await register({ ...GOOD, ...changes });
    expect(status).toBe(201);
    expect(json).toMatchObject({ token_endpoint_auth_method: "none", response_types: ["code"], ...part });
    expect(json.client_id).not.toBe("cli_mine");
    expect(json).not.toHaveProperty("client_secret");
  });
});

describe("400", () => {
  test.each<[string, string, unknown]>([
    ["no redirect_uris", "invalid_redirect_uri", { ...GOOD, redirect_uris: undefined }],
    ["none in the list", "invalid_redirect_uri", { ...GOOD, redirect_uris: [] }],
    ["a text for a list", "invalid_redirect_uri", { ...GOOD, redirect_uris: "https://app.example/cb" }],
    ["eleven", "invalid_redirect_uri", { ...GOOD, redirect_uris: Array(11).fill("https://app.example/cb") }],
    ["one that is no text", "invalid_redirect_uri", { ...GOOD, redirect_uris: [["https://app.example/cb"]] }],
    [
      "none that can be used",
      "invalid_redirect_uri",
      { ...GOOD, redirect_uris: ["http://[::1]:7777/cb", "javascript:x"] },
    ],
    ["http elsewhere", "invalid_redirect_uri", { ...GOOD, redirect_uris: ["http://app.example/cb"] }],
    ["a fragment", "invalid_redirect_uri", { ...GOOD, redirect_uris: ["https://app.example/cb#x"] }],
    ["a wildcard", "invalid_redirect_uri", { ...GOOD, redirect_uris: ["https://*.example/cb"] }],
    ["private_key_jwt", "invalid_client_metadata", { ...GOOD, token_endpoint_auth_method: "private_key_jwt" }],
    [
      "several methods that all need a key",
      "invalid_client_metadata",
      {
        ...GOOD,
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["private_key_jwt", "tls_client_auth"],
      },
    ],
    ["an empty method", "invalid_client_metadata", { ...GOOD, token_endpoint_auth_method: "" }],
    ["a scope that is no text", "invalid_client_metadata", { ...GOOD, scope: ["read"] }],
    ["a name that is no text", "invalid_client_metadata", { ...GOOD, client_name: { toString: "x" } }],
    ["a list", "invalid_request", [GOOD]],
    ["broken JSON", "invalid_request", "{"],
    ["nothing", "invalid_request", ""],
    ["members of a prototype", "invalid_redirect_uri", `{"__proto__":${JSON.stringify(GOOD)}}`],
  ])("%s: %s", async (_, error, metadata) => {
    const { status, json } = await register(metadata);
    expect([status, json.error]).toEqual([400, error]);
    expect(json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(json.error_uri).toBe(`http://beckon.test/docs/errors/${error}`);
    expect(JSON.stringify(json)).not.toMatch(/example|javascript/);
  });
});

test("429: after 20 registrations in an hour from one network", async () => {
  const ip = someone();
  for (let i = 0; i < 10; i++) expect((await register({ ...GOOD, redirect_uris: [] }, ip)).status).toBe(400);
  for (let i = 0; i < 20; i++) expect((await register(GOOD, ip)).status).toBe(201);
  // What a caller writes there itself stands before what the proxy saw.
  const refused = await register(GOOD, `203.0.113.${callers}, ${ip}`);
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({ error: "rate_limited" });
  expect(refused.headers.get("retry-after")).toBe("3600");
  expect((await register(GOOD)).status).toBe(201);
  service.clock.pass(HOUR);
  expect((await register(GOOD, ip)).status).toBe(201);
});

test("429: an IPv6 /64 network counts as one caller", async () => {
  for (let i = 0; i < 20; i++) expect((await register(GOOD, `2001:db8:0:7::${i + 1}`)).status).toBe(201);
  expect((await register(GOOD, "2001:db8:0:7:ffff::1")).status).toBe(429);
  expect((await register(GOOD, "2001:db8:0:8::1")).status).toBe(201);
});

test("429: without a trusted proxy X-Forwarded-For is ignored", async () => {
  const direct = await testService();
  const ask = (i: number) =>
    fetch(`${direct.url}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": `192.0.2.${i}`, Forwarded: `for=192.0.2.${i}` },
      body: JSON.stringify(GOOD),
    });
  for (let i = 0; i < 20; i++) expect((await ask(i)).status).toBe(201);
  expect((await ask(20)).status).toBe(429);
  await direct.close();
});
