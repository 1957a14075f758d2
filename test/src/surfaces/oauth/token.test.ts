import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { RESOURCES } from "../../../../src/domain/credentials/resources.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { OAUTH_ERRORS } from "../../../../src/platform/errors/oauth-errors.ts";
import { GRANT_TYPES } from "../../../../src/surfaces/oauth/metadata.ts";
import { GRANTS } from "../../../../src/surfaces/oauth/token.ts";
import { type Answer, appOf, CHALLENGE, CLIENT, REDIRECT, VERIFIER } from "../../../support/oauth/app.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { clock, db } = service;
const app = appOf(service);
const SITE = "http://beckon.test";

let accountId: string;
beforeEach(async () => {
  // Failures count on the address.
  clock.pass(MINUTE);
  accountId = (await service.account()).id;
});

/** Status and error of a refusal, which must be one that OAUTH_ERRORS has. */
function refused({ status, json, headers }: Answer) {
  const code = json.error as keyof typeof OAUTH_ERRORS;
  expect(json).toEqual({
    error: expect.stringMatching(/^[a-z_]+$/),
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
    error_uri: `${SITE}/docs/errors/${code}`,
  });
  expect(OAUTH_ERRORS).toHaveProperty(code);
  expect(headers.get("cache-control")).toBe("no-store");
  return [status, code];
}

const grantOf = async (account: string) => {
  const rows = await db.q.select().from(db.t.grants);
  return rows.find((row) => row.accountId === account);
};

test("the grant types are the ones that the metadata announces", () => {
  expect(Object.keys(GRANTS).sort()).toEqual([...GRANT_TYPES].sort());
});

describe("authorization_code", () => {
  test("200: the answer has a bearer token, a refresh token and the scope, and cannot be cached", async () => {
    const { status, headers, json } = await app.exchange(await app.code({ accountId, scopes: ["read", "index"] }));
    expect(status).toBe(200);
    expect(json).toEqual({
      access_token: expect.stringMatching(/^beckon_at_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^beckon_rt_[\w-]{43}$/),
      scope: "read index",
    });
    expect([headers.get("cache-control"), headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(await app.statuses(json.access_token)).toEqual({ rest: 200, mcp: 200 });
  });

  test.each(["code", "client_id", "code_verifier"])(
    "400 invalid_request: %s is missing or empty, and the code stays valid",
    async (name) => {
      const code = await app.code({ accountId });
      for (const value of [undefined, ""]) {
        const answer = await app.exchange(code, { [name]: value });
        expect(refused(answer)).toEqual([400, "invalid_request"]);
        expect(answer.json.error_description).toBe(`${name} is missing.`);
      }
      expect((await app.exchange(code)).status).toBe(200);
    },
  );

  test.each([undefined, ""])("200: redirect_uri may be absent (OAuth 2.1): %j", async (redirect_uri) => {
    expect((await app.exchange(await app.code({ accountId }), { redirect_uri })).status).toBe(200);
  });

  test("400 invalid_request: a malformed verifier", async () => {
    for (const code_verifier of ["short", "x".repeat(129), `${VERIFIER}\n`, `${VERIFIER}!`])
      expect(refused(await app.exchange(await app.code({ accountId }), { code_verifier }))).toEqual([
        400,
        "invalid_request",
      ]);
  });

  test.each([
    ["another client", { client_id: "cli_other" }],
    ["another redirect address", { redirect_uri: `${REDIRECT}?x=1` }],
    ["the wrong verifier", { code_verifier: `${VERIFIER}x` }],
    ["the challenge as a plain verifier", { code_verifier: CHALLENGE }],
  ])("400 invalid_grant: %s; the code is used up", async (_, changes) => {
    const code = await app.code({ accountId });
    expect(refused(await app.exchange(code, changes))).toEqual([400, "invalid_grant"]);
    expect(refused(await app.exchange(code))).toEqual([400, "invalid_grant"]);
    expect(await grantOf(accountId)).toBeUndefined();
  });

  test("400 invalid_grant: the code was issued to another app (injection)", async () => {
    const code = await app.code({ accountId, clientId: "cli_victim", challenge: CHALLENGE });
    expect(refused(await app.exchange(code, { client_id: CLIENT }))).toEqual([400, "invalid_grant"]);
  });

  test("the owner of the account is mailed when an app gets its first tokens, and not when it renews them", async () => {
    const before = service.outbox.length;
    const { json } = await app.exchange(await app.code({ accountId }));
    expect(service.outbox.slice(before)).toMatchObject([{ subject: "An app was connected to your Beckon account" }]);
    expect(service.outbox.at(-1)!.text).toContain("we have not verified");
    expect((await app.refresh(json.refresh_token)).status).toBe(200);
    expect(service.outbox).toHaveLength(before + 1);
  });

  test("400 invalid_grant: a code is used a second time, which revokes its tokens on all surfaces", async () => {
    const code = await app.code({ accountId });
    const { json } = await app.exchange(code);
    expect(refused(await app.exchange(code))).toEqual([400, "invalid_grant"]);
    expect(await app.statuses(json.access_token)).toEqual({ rest: 401, mcp: 401 });
    expect(refused(await app.refresh(json.refresh_token))).toEqual([400, "invalid_grant"]);
    expect(await grantOf(accountId)).toMatchObject({ endedBy: "code_reused" });
  });
});

describe("refresh_token", () => {
  test("200: each refresh returns a new pair; client_id may be sent", async () => {
    const { access, refresh } = await app.connected();
    const first = (await app.refresh(refresh)).json;
    expect(first).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "read index purchase" });
    const second = await app.refresh(first.refresh_token, { client_id: CLIENT });
    expect(second.status).toBe(200);
    expect(new Set([refresh, first.refresh_token, second.json.refresh_token]).size).toBe(3);
    for (const token of [access, first.access_token, second.json.access_token])
      expect((await app.statuses(token)).rest).toBe(200);
  });

  test("400 invalid_grant: a reused refresh token means theft, and disconnects both holders", async () => {
    const { refresh, access } = await app.connected();
    const thief = (await app.refresh(refresh)).json;
    expect(refused(await app.refresh(refresh))).toEqual([400, "invalid_grant"]);
    for (const token of [access, thief.access_token])
      expect(await app.statuses(token)).toEqual({ rest: 401, mcp: 401 });
    expect(refused(await app.refresh(thief.refresh_token))).toEqual([400, "invalid_grant"]);
  });

  test("200: within REFRESH_OVERLAP_SECONDS its own client gets the same next token again, and no other client", async () => {
    const overlapping = await testService({ sharedWith: service, config: { refreshOverlapMs: 10 * SECOND } });
    const { refresh: renew } = appOf(overlapping);
    const { refresh } = await app.connected();
    const first = (await renew(refresh, { client_id: CLIENT })).json;
    clock.pass(9 * SECOND);
    const again = await renew(refresh, { client_id: CLIENT });
    expect([again.status, again.json.refresh_token]).toEqual([200, first.refresh_token]);
    expect((await app.statuses(again.json.access_token)).rest).toBe(200);
    expect(refused(await renew(refresh, { client_id: "cli_other" }))).toEqual([400, "invalid_grant"]);
    expect(refused(await renew(first.refresh_token, { client_id: CLIENT }))).toEqual([400, "invalid_grant"]);
    await overlapping.close();
  });

  test("400 invalid_grant: another client sends the token, which stays valid for its own", async () => {
    const { refresh } = await app.connected();
    expect(refused(await app.refresh(refresh, { client_id: "cli_other" }))).toEqual([400, "invalid_grant"]);
    expect((await app.refresh(refresh, { client_id: CLIENT })).status).toBe(200);
  });

  test("200: fewer scopes than granted; 400 invalid_scope: more scopes, or unknown ones only", async () => {
    const { refresh } = await app.connected({ scopes: ["read", "index"] });
    for (const scope of ["read purchase", "purchase", "openid", "READ"])
      expect(refused(await app.refresh(refresh, { scope }))).toEqual([400, "invalid_scope"]);
    const narrow = (await app.refresh(refresh, { scope: "read" })).json;
    expect(narrow.scope).toBe("read");
    const headers = { Authorization: `Bearer ${narrow.access_token}` };
    const refusedCall = await service.request("POST", "/projects", { body: { urls: ["https://a.example/"] }, headers });
    expect([refusedCall.status, refusedCall.json.error.code]).toEqual([403, "insufficient_scope"]);
    expect((await app.refresh(narrow.refresh_token, { scope: "index openid" })).json.scope).toBe("index");
  });

  test("an access token is 401 after 60 minutes, a refresh token invalid_grant after 30 days", async () => {
    const { access, refresh } = await app.connected();
    clock.pass(60 * MINUTE - 1);
    expect(await app.statuses(access)).toEqual({ rest: 200, mcp: 200 });
    clock.pass(1);
    expect(await app.statuses(access)).toEqual({ rest: 401, mcp: 401 });
    clock.pass(30 * DAY - 60 * MINUTE);
    expect(refused(await app.refresh(refresh))).toEqual([400, "invalid_grant"]);
  });
});

describe("resource", () => {
  test("a token is valid at the approved resource only, or everywhere if none was named", async () => {
    for (const [audience, statuses] of [
      ["", { rest: 200, mcp: 200 }],
      ["/mcp", { rest: 401, mcp: 200 }],
      ["/api/v1", { rest: 200, mcp: 401 }],
      ["/a2a", { rest: 401, mcp: 401 }],
    ] as const) {
      const { access, refresh } = await app.connected({ audience });
      expect(await app.statuses(access), audience).toEqual(statuses);
      const renewed = await app.refresh(refresh);
      expect(await app.statuses(renewed.json.access_token), `${audience}, renewed`).toEqual(statuses);
    }
  });

  test.each(RESOURCES)("200: %s at the exchange or the refresh narrows the access token", async (path) => {
    const { access, refresh } = await app.connected({}, { resource: `${SITE}${path}` });
    const statuses = { rest: path === "/api/v1" ? 200 : 401, mcp: path === "/mcp" ? 200 : 401 };
    expect(await app.statuses(access)).toEqual(statuses);
    const wide = (await app.refresh(refresh, { resource: SITE })).json;
    expect(await app.statuses(wide.access_token)).toEqual({ rest: 200, mcp: 200 });
    const narrow = (await app.refresh(wide.refresh_token, { resource: `${SITE}${path}/` })).json;
    expect(await app.statuses(narrow.access_token)).toEqual(statuses);
  });

  test("400 invalid_target: a resource wider than approved, or of another service", async () => {
    for (const resource of [SITE, `${SITE}/api/v1`, `${SITE}/a2a`, "https://evil.example/mcp", "/mcp", "nonsense"]) {
      const code = await app.code({ accountId, audience: "/mcp" });
      expect(refused(await app.exchange(code, { resource })), resource).toEqual([400, "invalid_target"]);
    }
    const { refresh } = await app.connected({ audience: "/mcp" });
    for (const resource of [SITE, `${SITE}/api/v1`, "https://evil.example/mcp"])
      expect(refused(await app.refresh(refresh, { resource })), resource).toEqual([400, "invalid_target"]);
    expect((await app.refresh(refresh, { resource: `${SITE}/mcp` })).status).toBe(200);
  });

  test("a resource twice in any spelling is one; 400 invalid_target: two of them", async () => {
    const { refresh } = await app.connected();
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh }).toString();
    const both = (one: string, other: string) =>
      app.post("/oauth/token", `${form}&resource=${encodeURIComponent(one)}&resource=${encodeURIComponent(other)}`);
    for (const other of [SITE, `${SITE}/a2a`, "https://evil.example/mcp"])
      expect(refused(await both(`${SITE}/mcp`, other)), other).toEqual([400, "invalid_target"]);
    const { json } = await both(`${SITE}/mcp?toolsets=jobs`, "HTTP://BECKON.TEST/mcp/");
    expect(await app.statuses(json.access_token)).toEqual({ rest: 401, mcp: 200 });
  });
});

describe("the request", () => {
  test.each(["", "grant_type=", "grant_type=&grant_type="])(
    "400 invalid_request: no grant_type in %j",
    async (body) => {
      expect(refused(await app.post("/oauth/token", body))).toEqual([400, "invalid_request"]);
    },
  );

  test.each(["password", "client_credentials", "implicit", "__proto__", "constructor", "toString", "hasOwnProperty"])(
    "400 unsupported_grant_type: %s",
    async (grant_type) => {
      const answer = await app.post("/oauth/token", { grant_type });
      expect(refused(answer)).toEqual([400, "unsupported_grant_type"]);
    },
  );

  test("400 invalid_request: a repeated parameter, also with the same value", async () => {
    const code = await app.code({ accountId });
    const fields = { grant_type: "authorization_code", code, redirect_uri: REDIRECT, client_id: CLIENT };
    const form = new URLSearchParams({ ...fields, code_verifier: VERIFIER }).toString();
    for (const name of ["grant_type", "code", "client_id", "resource", "anything"]) {
      const twice = `${form}&${name}=x&${name}=x`;
      const answer = await app.post("/oauth/token", twice);
      // A client may ask for several resources (RFC 8707 section 2), and is told that it cannot get them.
      expect(refused(answer), name).toEqual([400, name === "resource" ? "invalid_target" : "invalid_request"]);
    }
    expect((await app.post("/oauth/token", form)).status).toBe(200);
  });

  test.each([
    { client_secret: "s" },
    { client_assertion: "a.b.c" },
    { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" },
  ])("401 invalid_client: %j, and the code stays valid", async (secret) => {
    const code = await app.code({ accountId });
    const answer = await app.exchange(code, secret);
    expect(refused(answer)).toEqual([401, "invalid_client"]);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="beckon"');
    expect((await app.exchange(code)).status).toBe(200);
  });

  test("401 invalid_client: an Authorization header of any scheme, and the code stays valid", async () => {
    const { access } = await app.connected();
    const basic = `Basic ${Buffer.from(`${CLIENT}:`).toString("base64")}`;
    for (const Authorization of [basic, `Bearer ${access}`]) {
      const code = await app.code({ accountId });
      expect(refused(await app.exchange(code, {}, { Authorization }))).toEqual([401, "invalid_client"]);
      expect((await app.exchange(code)).status).toBe(200);
    }
  });

  test("the query string is ignored", async () => {
    const code = await app.code({ accountId });
    const query = new URLSearchParams({ grant_type: "authorization_code", code, client_id: CLIENT });
    expect(refused(await app.post(`/oauth/token?${query}`, ""))).toEqual([400, "invalid_request"]);
    expect((await app.exchange(code)).status).toBe(200);
  });
});

test("an unknown code is not echoed", async () => {
  const code = randomUUID();
  expect((await app.exchange(code)).text).not.toContain(code);
});
