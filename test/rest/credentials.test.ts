import { afterAll, beforeEach, expect, test } from "vitest";
import { principalOfKey } from "../../src/domain/credentials/identify.ts";
import { revokeKey } from "../../src/domain/credentials/keys.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";

const service = await testService();
const { request, clock, db } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(MINUTE));

const body = { urls: ["https://example.com/"] };
const metadata = 'resource_metadata="http://beckon.test/.well-known/oauth-protected-resource/api/v1"';

test("401 unauthorized: without a credential; the answer says where to get one", async () => {
  const { status, json, headers } = await request("POST", "/projects", { body });
  expect([status, json.error.code]).toEqual([401, "unauthorized"]);
  expect(headers.get("www-authenticate")).toBe(`Bearer realm="beckon", scope="read index purchase", ${metadata}`);
  expect(headers.get("ratelimit-limit")).toBe("60");
});

test("401 unauthorized: with an unknown key", async () => {
  for (const key of ["bk_test_00000000000000000000000000000000", "nonsense", "'; DROP TABLE accounts; --"]) {
    const { status, headers } = await request("GET", "/account", { key });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
  }
});

test("401 unauthorized: with an invalid credential, even for a public operation", async () => {
  expect((await request("GET", "/pricing", { key: "nonsense" })).status).toBe(401);
});

test("401 unauthorized: a revoked key is refused from the next call on; nothing is spent", async () => {
  const { id, key } = await service.account();
  expect((await request("GET", "/account", { key })).status).toBe(200);
  const principal = await principalOfKey(db, key, clock.now());
  await db.tx((tx) => revokeKey(tx, principal!.credential.id, clock.now()));
  const before = await stateOf(db, id);
  expect((await request("POST", "/projects", { key, body })).status).toBe(401);
  expect(await stateOf(db, id)).toEqual(before);
});

test("401 unauthorized: a key in the query or in a cookie is not read", async () => {
  const { key } = await service.account();
  expect((await request("GET", `/account?api_key=${key}&access_token=${key}`)).status).toBe(401);
  expect((await request("GET", "/account", { headers: { Cookie: `api_key=${key}; session=${key}` } })).status).toBe(
    401,
  );
});

test("401 unauthorized: with a scheme other than Bearer", async () => {
  const { key } = await service.account();
  const basic = Buffer.from(`${key}:`).toString("base64");
  expect((await request("GET", "/account", { headers: { Authorization: `Basic ${basic}` } })).status).toBe(401);
});

test("200: X-API-Key is accepted, alone or with the same bearer token", async () => {
  const { key } = await service.account();
  expect((await request("GET", "/account", { headers: { "X-API-Key": key } })).status).toBe(200);
  expect((await request("GET", "/account", { key, headers: { "X-API-Key": key } })).status).toBe(200);
});

test("400 invalid_request: two different credentials; nothing is spent", async () => {
  const [one, other] = [await service.account(), await service.account()];
  const before = [await stateOf(db, one.id), await stateOf(db, other.id)];
  const headers = { "X-API-Key": other.key };
  const { status, json } = await request("POST", "/projects", { key: one.key, headers, body });
  expect([status, json.error.code]).toEqual([400, "invalid_request"]);
  expect([await stateOf(db, one.id), await stateOf(db, other.id)]).toEqual(before);
});

test("403 insufficient_scope: names the scope; nothing is spent", async () => {
  const { id, key } = await service.account({ scopes: ["read"] });
  const before = await stateOf(db, id);
  const { status, json, headers } = await request("POST", "/projects", { key, body });
  expect([status, json.error.code, json.error.required_scope]).toEqual([403, "insufficient_scope", "index"]);
  expect(headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="index"');
  expect(headers.get("ratelimit-limit")).toBe("120");
  expect(await stateOf(db, id)).toEqual(before);
});

test("200: any scope is enough to read the account", async () => {
  const { key } = await service.account({ scopes: ["purchase"] });
  expect((await request("GET", "/account", { key })).status).toBe(200);
  expect((await request("GET", "/projects", { key })).status).toBe(403);
});
