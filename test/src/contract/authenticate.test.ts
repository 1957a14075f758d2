import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { RequestGuard } from "../../../src/contract/authenticate.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { DAY, HOUR, MINUTE } from "../../../src/platform/clock.ts";
import { poster, toolCall } from "../../support/mcp/post.ts";
import { appOf, CLIENT } from "../../support/oauth/app.ts";
import { testService } from "../../support/service/service.ts";
import { codeOf } from "../../support/website/test-users.ts";

const service = await testService();
afterAll(() => service.close());
const { clock, db, url } = service;
const app = appOf(service);
const SITE = "http://beckon.test";
beforeEach(() => clock.pass(MINUTE));

const challenge = (path: string, detail: string) =>
  `Bearer realm="beckon", ${detail}, resource_metadata="${SITE}/.well-known/oauth-protected-resource${path}"`;
const mcp = poster(url);
const rest = (headers: Record<string, string>, query = "") => fetch(`${url}/api/v1/account${query}`, { headers });

/** The statuses of a call over REST and over MCP with these headers and this query. */
async function statusesWith(headers: Record<string, string>, query = ""): Promise<number[]> {
  const { body, headers: sent } = json(toolCall("get_account"));
  const overMcp = await fetch(`${url}/mcp${query}`, { method: "POST", headers: { ...sent, ...headers }, body });
  return [(await rest(headers, query)).status, overMcp.status];
}

test("401: an access token is not accepted in X-API-Key, in a cookie or in the query", async () => {
  const { access } = await app.connected();
  expect(await statusesWith({ "X-API-Key": access })).toEqual([401, 401]);
  expect(await statusesWith({ Cookie: `access_token=${access}; sid=${access}` })).toEqual([401, 401]);
  expect(await statusesWith({}, `?access_token=${access}`)).toEqual([401, 401]);
});

test("200 with a key in X-API-Key; 401 with one in a cookie or in the query", async () => {
  const { key } = await service.account();
  expect(await statusesWith({ "X-API-Key": key })).toEqual([200, 200]);
  expect(await statusesWith({ Cookie: `api_key=${key}; session=${key}` })).toEqual([401, 401]);
  expect(await statusesWith({}, `?api_key=${key}`)).toEqual([401, 401]);
});

test("401: an invalid access token; the challenge names the called surface", async () => {
  const headers = { Authorization: `Bearer beckon_at_${"A".repeat(43)}` };
  const invalid = 'error="invalid_token", scope="read index purchase"';
  expect((await rest(headers)).headers.get("www-authenticate")).toBe(challenge("/api/v1", invalid));
  const answer = await mcp(toolCall("get_account"), { headers });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge("/mcp", invalid)]);
  expect(answer.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
});

test("403 insufficient_scope: names the missing scope; reading the account is always granted", async () => {
  const { access } = await app.connected({ scopes: ["purchase"] });
  const headers = { Authorization: `Bearer ${access}` };
  expect(await app.statuses(access)).toEqual({ rest: 200, mcp: 200 });
  const lacking = 'error="insufficient_scope", scope="index"';
  const overMcp = await mcp(toolCall("submit_urls", { urls: ["https://a.example/"] }), { headers });
  expect([overMcp.status, overMcp.headers.get("www-authenticate")]).toEqual([403, challenge("/mcp", lacking)]);
  const overRest = await service.request("POST", "/projects", { body: { urls: ["https://a.example/"] }, headers });
  expect([overRest.status, overRest.headers.get("www-authenticate")]).toEqual([403, challenge("/api/v1", lacking)]);
});

test("403 insufficient_scope: the request counts, and both surfaces send the app's remaining limit of the minute", async () => {
  const { access } = await app.connected({ scopes: ["read"] });
  const call = { urls: ["https://a.example/"] };
  const overRest = await service.request("POST", "/projects", { body: call, key: access });
  const overMcp = await mcp(toolCall("submit_urls", call), { key: access });
  const says = ({ status, headers }: { status: number; headers: Headers }) => [
    status,
    ...["limit", "remaining", "reset", "policy"].map((name) => headers.get(`ratelimit-${name}`)),
  ];
  expect(says(overRest)).toEqual([403, "120", "119", "60", "120;w=60"]);
  expect(says(overMcp)).toEqual([403, "120", "118", "60", "120;w=60"]);
  const batch = [toolCall("get_account", {}, 1), toolCall("get_account", {}, 2), toolCall("submit_urls", call, 3)];
  expect(says(await mcp(batch, { key: access }))).toEqual([403, "120", "115", "60", "120;w=60"]);
});

test("401: a wrong credential carries the rate headers, as a missing one does", async () => {
  const rates = ({ headers }: Response) =>
    ["limit", "remaining", "reset", "policy"].map((name) => headers.get(`ratelimit-${name}`));
  const wrong = { Authorization: `Bearer beckon_at_${"A".repeat(43)}` };
  expect(rates(await rest({}))).toEqual(["60", "59", "60", "60;w=60"]);
  expect(rates(await rest(wrong))).toEqual(["60", "58", "60", "60;w=60"]);
  const { body, headers } = json(toolCall("get_account"));
  const overMcp = await fetch(`${url}/mcp`, { method: "POST", headers: { ...headers, ...wrong }, body });
  expect(rates(overMcp)).toEqual(["60", "57", "60", "60;w=60"]);
});

test("429: the 121st request of a minute, counted separately for each key and app of an account", async () => {
  const request = requestsAt(new RequestGuard(db, clock, service.config));
  const { accountId, access } = await app.connected();
  for (const credential of [await keyOf(accountId), await keyOf(accountId), access]) {
    for (let n = 0; n < 120; n++) await request(credential);
    expect(await codeOf(request(credential))).toBe("rate_limited");
  }
});

test("law: requests of a known caller count for its minute, its day and its key, through flushes, minutes and midnight", async () => {
  const guard = new RequestGuard(db, clock, service.config);
  const request = requestsAt(guard);
  const { id, key } = await service.account();
  await clock.pass(DAY - (clock.now() % DAY) - 3 * MINUTE);
  const counted = [0, 0];
  for (let minute = 0; minute < 6; minute++) {
    const day = minute < 3 ? 0 : 1;
    for (let made = 1; made <= 4; made++) {
      const { headers, requestsToday } = await request(key);
      counted[day]! += 1;
      expect([headers["RateLimit-Remaining"], requestsToday]).toEqual([String(120 - made), counted[day]]);
      if ((minute + made) % 3 === 0) await guard.flushDue();
    }
    await clock.pass(MINUTE);
  }
  await guard.flush();
  const { usage, keyUsage } = db.t;
  const days = await db.q.select().from(usage).where(eq(usage.accountId, id)).orderBy(usage.day);
  const calls = await db.q.select().from(keyUsage).where(eq(keyUsage.accountId, id)).orderBy(keyUsage.day);
  expect([days.map(({ requests }) => requests), calls.map((row) => row.calls)]).toEqual([counted, counted]);
});

test("law: a request sets the last use of its key or app, and of no other", async () => {
  const guard = new RequestGuard(db, clock, service.config);
  const request = requestsAt(guard);
  const [one, other] = [await app.connected(), await app.connected()];
  const key = await keyOf(one.accountId);
  await request(key);
  await request(one.access);
  await guard.flush();
  expect(await usesOf(one.accountId)).toEqual({ keys: [null, clock.now()], grants: [clock.now()] });
  expect(await usesOf(other.accountId)).toEqual({ keys: [null], grants: [null] });
});

test("law: of a hundred uses of a key in a minute the first is written, whoever else is written later; then that of the next minute", async () => {
  await clock.pass(MINUTE - (clock.now() % MINUTE));
  const guard = new RequestGuard(db, clock, service.config);
  const request = requestsAt(guard);
  const { accountId, access } = await app.connected();
  const key = await keyOf(accountId);
  const first = clock.now();
  for (let n = 0; n < 100; n++) await request(key);
  await guard.flush();
  await clock.pass(MINUTE - 1);
  await request(key);
  await request(access);
  await guard.flush();
  expect(await usesOf(accountId)).toEqual({ keys: [null, first], grants: [clock.now()] });
  await clock.pass(1);
  await request(key);
  await guard.flush();
  expect((await usesOf(accountId)).keys).toEqual([null, first + MINUTE]);
});

test("200: requests of an app count for the app, and the account shows the app as the credential", async () => {
  const { access } = await app.connected();
  const answer = await service.request("GET", "/account", { key: access });
  expect(answer.headers.get("ratelimit-remaining")).toBe("119");
  expect(answer.json.credential).toMatchObject({ type: "oauth", name: "Test app" });
});

test.each(["/mcp", "/api/v1"] as const)(
  "401: a token of %s that was used there is unknown elsewhere, and after its revocation or its last hour",
  async (audience) => {
    const there = audience === "/mcp" ? { rest: 401, mcp: 200 } : { rest: 200, mcp: 401 };
    const [revoked, expired] = [await app.connected({ audience }), await app.connected({ audience })];
    for (const { access } of [revoked, expired, revoked, expired, revoked])
      expect(await app.statuses(access)).toEqual(there);
    await app.revoke(revoked.refresh, { client_id: CLIENT });
    expect(await app.statuses(revoked.access)).toEqual({ rest: 401, mcp: 401 });
    expect(await app.statuses(expired.access)).toEqual(there);
    await clock.pass(HOUR);
    expect(await app.statuses(expired.access)).toEqual({ rest: 401, mcp: 401 });
  },
);

test("429: a known caller of MCP is counted with its other calls, and refused at the 121st", async () => {
  const { key } = await service.account();
  const remaining = async () => (await mcp(toolCall("get_account"), { key })).headers.get("ratelimit-remaining");
  for (let n = 119; n >= 0; n--) expect(await remaining()).toBe(String(n));
  expect((await mcp(toolCall("get_account"), { key })).status).toBe(429);
  expect((await rest({ Authorization: `Bearer ${key}` })).status).toBe(429);
});

test("400: a token and a key that differ", async () => {
  const { access } = await app.connected();
  const { key } = await service.account();
  expect((await rest({ Authorization: `Bearer ${access}`, "X-API-Key": key })).status).toBe(400);
});

/** Requests at a guard, without a surface. */
function requestsAt(guard: RequestGuard) {
  return async (credential: string) =>
    guard.admit({ authorization: `Bearer ${credential}`, ip: "192.0.2.1", resource: "/api/v1" });
}

/** One more key of an account. */
function keyOf(accountId: string): Promise<string> {
  return db.tx((tx) => createKey(tx, { accountId, name: "ci", mode: "sandbox", now: clock.now() }));
}

/** When each key and app of an account was last used, the unused first. */
async function usesOf(accountId: string) {
  const uses = async (table: typeof db.t.apiKeys | typeof db.t.grants) => {
    const rows = await db.q.select().from(table).where(eq(table.accountId, accountId));
    return rows.map(({ lastUsedAt }) => lastUsedAt).sort((a, b) => (a ?? 0) - (b ?? 0));
  };
  return { keys: await uses(db.t.apiKeys), grants: await uses(db.t.grants) };
}

/** A message as `/mcp` takes it, for requests that the poster cannot make. */
function json(message: object) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return { headers, body: JSON.stringify(message) };
}
