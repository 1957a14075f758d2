import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { revokeKeysOf } from "../../src/domain/credentials/keys.ts";
import { dayOf } from "../../src/domain/limits/day.ts";
import { createGrant } from "../../src/domain/oauth/grants.ts";
import { issueAccessToken } from "../../src/domain/oauth/tokens.ts";
import { DAY, MINUTE } from "../../src/platform/clock.ts";
import { LIMITS } from "../../src/platform/limits.ts";
import { SCOPES } from "../../src/platform/principal.ts";
import { rawClient } from "../support/network/raw-client.ts";
import { testService } from "../support/service/service.ts";

/** How many times a credential was looked up: an answer from memory needs none. */
let lookups = 0;
const counting = (db: Engine): Engine => ({
  ...db,
  keyOf: (hash) => {
    lookups++;
    return db.keyOf(hash);
  },
});
const service = await testService({ engine: counting });
const { request, clock, db } = service;
const other = await openDatabase(service.database, { durable: false });
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(() => clock.pass(MINUTE));

const lookupsOf = async (work: () => Promise<unknown>) => {
  const before = lookups;
  await work();
  return lookups - before;
};
/** SQLite answers from memory; PostgreSQL is asked. */
const perKnownCall = db.dialect === "sqlite" ? 0 : 1;

async function submitted(scopes = SCOPES) {
  const { id, key } = await service.account();
  const body = { urls: ["https://example.com/a", "https://example.com/b"], drip_days: 7 };
  const { json } = await request("POST", "/projects", { key, body });
  const project = json.project.id as string;
  const paths = ["/account", "/pricing", "/projects", `/projects/${project}`, `/projects/${project}/links`];
  paths.push(`/projects/${project}/links/lnk_${project.slice(4)}_1`, `/projects/${project}/links?limit=1`);
  return { id, key, scopes, project, paths: [...paths, "/orders", "/ledger"] };
}

/** All of an answer but its time, the limits, and the count of today's requests. */
const partsOf = ({ status, headers, text }: Awaited<ReturnType<typeof request>>) => {
  const names = [...headers].filter(([name]) => !/^(date|ratelimit-(remaining|reset))$/.test(name));
  return { status, names, text: text.replace(/"requests":\d+/, "") };
};

/** The pipeline alone reads a scheme in small letters. */
const byPipeline = (key: string) => ({ Authorization: `bearer ${key}` });

test("200: an answer from memory has the headers and bytes of the pipeline's, and is counted as one", async () => {
  const { key, paths } = await submitted();
  for (const path of paths) {
    const whole = await request("GET", path, { headers: byPipeline(key) });
    const first = await request("GET", path, { key });
    let second = first;
    const again = async () => (second = await request("GET", path, { headers: { "X-API-Key": key } }));
    expect(await lookupsOf(again), path).toBe(perKnownCall);
    expect(whole.status, path).toBe(200);
    expect(partsOf(first)).toEqual(partsOf(whole));
    expect(partsOf(second)).toEqual(partsOf(whole));
    const left = (answer: typeof first) => Number(answer.headers.get("ratelimit-remaining"));
    expect([left(first), left(second)]).toEqual([left(whole) - 1, left(whole) - 2]);
    const tag = first.headers.get("etag");
    expect(tag === null, path).toBe(path === "/account");
    if (tag === null) continue;
    const unchanged = () => request("GET", path, { key, headers: { "If-None-Match": tag } });
    const known = await unchanged();
    expect([known.status, known.text]).toEqual([304, ""]);
    const pipeline = await request("GET", path, { headers: { ...byPipeline(key), "If-None-Match": tag } });
    expect(partsOf(known)).toEqual(partsOf(pipeline));
  }
});

test("get_account counts each request of the day, from memory too", async () => {
  const { key } = await service.account();
  const counts = [];
  for (let call = 0; call < 4; call++)
    counts.push((await request("GET", "/account", { key })).json.usage_today.requests);
  expect(counts).toEqual([1, 2, 3, 4]);
  clock.pass(DAY);
  expect((await request("GET", "/account", { key })).json.usage_today).toEqual({ requests: 1, submissions: 0 });
});

test("a known caller is not looked up for an address that is new to it, nor to be refused over its limit", async () => {
  const { id, key, paths } = await submitted();
  await request("GET", "/account", { key });
  for (const path of paths) expect(await lookupsOf(() => request("GET", path, { key })), path).toBe(perKnownCall);
  let status = 200;
  while (status === 200) ({ status } = await request("GET", "/pricing", { key }));
  expect(status).toBe(429);
  const refused = async () => expect((await request("GET", "/orders", { key })).status).toBe(429);
  expect(await lookupsOf(refused)).toBe(perKnownCall);
  await db.tx((tx) => revokeKeysOf(tx, id, { now: clock.now() }));
  expect((await request("GET", "/orders", { key })).status).toBe(401);
});

test("200: what was committed since is in the next answer, by whatever connection", async () => {
  const { id, key, project } = await submitted();
  const read = async () => (await request("GET", `/projects/${project}`, { key })).json.name as string;
  const rename = (by: Engine, name: string) =>
    by.tx((tx) => tx.q.update(tx.t.projects).set({ name }).where(eq(tx.t.projects.id, project)));
  await read();
  for (const [by, name] of [
    [db, "one"],
    [other, "two"],
    [db, "three"],
    [other, "four"],
  ] as const) {
    await rename(by, name);
    expect(await read()).toBe(name);
    expect(await read()).toBe(name);
  }
  const account = async () => (await request("GET", "/account", { key })).json.credits as number;
  const credits = await account();
  expect(await account()).toBe(credits);
  await other.tx((tx) => tx.q.update(tx.t.accounts).set({ credits: 7 }).where(eq(tx.t.accounts.id, id)));
  expect(await account()).toBe(7);
});

test("links are sent from memory as long as their version is the same, whatever else was committed", async () => {
  const { key, project } = await submitted();
  const path = `/projects/${project}/links`;
  const first = await request("GET", path, { key });
  await submitted();
  const second = await request("GET", path, { key });
  expect(partsOf(second)).toEqual(partsOf(first));
  expect(await lookupsOf(() => request("GET", path, { key }))).toBe(perKnownCall);
  const body = { link_ids: [`lnk_${project.slice(4)}_1`] };
  await request("POST", `/projects/${project}/cancel`, { key, body });
  expect((await request("GET", path, { key })).json.links[1].status).toBe("failed");
});

test("200: links that are read by the pipeline in between are not kept for longer", async () => {
  const { key, project } = await submitted();
  const path = `/projects/${project}/links`;
  await request("GET", path, { key });
  await request("GET", path, { headers: byPipeline(key) });
  const body = { link_ids: [`lnk_${project.slice(4)}_1`] };
  await request("POST", `/projects/${project}/cancel`, { key, body });
  await request("GET", "/account", { key });
  expect((await request("GET", path, { key })).json.links[1].status).toBe("failed");
});

test.each([
  ["this process", () => db],
  ["another connection", () => other],
])("401: a key that %s has revoked, at the next call", async (_, by) => {
  const { id, key } = await service.account();
  for (const path of ["/account", "/pricing"]) {
    await request("GET", path, { key });
    expect((await request("GET", path, { key })).status).toBe(200);
  }
  await by().tx((tx) => revokeKeysOf(tx, id, { now: clock.now() }));
  for (const path of ["/account", "/pricing"]) expect((await request("GET", path, { key })).status).toBe(401);
});

test("401: a key whose end has passed while nothing was committed", async () => {
  const { id, key } = await service.account();
  const { apiKeys } = db.t;
  const expiresAt = clock.now() + 1_000;
  await db.tx((tx) => tx.q.update(apiKeys).set({ expiresAt }).where(eq(apiKeys.accountId, id)));
  await request("GET", "/account", { key });
  clock.pass(999);
  expect((await request("GET", "/account", { key })).status).toBe(200);
  clock.pass(1);
  expect((await request("GET", "/account", { key })).status).toBe(401);
});

test("403, and another answer: tokens of one grant with different scopes share nothing", async () => {
  const { id, project } = await submitted();
  const now = clock.now();
  const tokenWith = async (scopes: readonly ("read" | "index")[]) =>
    db.tx(async (tx) => issueAccessToken(tx, { grantId, audience: "/api/v1", scopes, now }));
  const grant = { accountId: id, kind: "oauth", clientId: null, name: "app", scopes: ["read", "index"], now } as const;
  const grantId = await db.tx((tx) => createGrant(tx, grant));
  const [reader, indexer] = [await tokenWith(["read"]), await tokenWith(["index"])];
  for (let call = 0; call < 3; call++) {
    expect((await request("GET", `/projects/${project}`, { key: reader })).status).toBe(200);
    expect((await request("GET", `/projects/${project}`, { key: indexer })).status).toBe(403);
    const scopesOf = async (key: string) => (await request("GET", "/account", { key })).json.credential.scopes;
    expect([await scopesOf(reader), await scopesOf(indexer)]).toEqual([["read"], ["index"]]);
  }
});

test("401: a token in X-API-Key, of which Authorization was just answered", async () => {
  const { id } = await service.account();
  const now = clock.now();
  const key = await db.tx(async (tx) => {
    const grant = { accountId: id, kind: "oauth", clientId: null, name: "app", scopes: SCOPES, now } as const;
    return issueAccessToken(tx, { grantId: await createGrant(tx, grant), audience: "/api/v1", scopes: SCOPES, now });
  });
  for (let call = 0; call < 2; call++) {
    expect((await request("GET", "/account", { key })).status).toBe(200);
    expect((await request("GET", "/account", { headers: { "X-API-Key": key } })).status).toBe(401);
  }
});

test("404: a project of another account, whose owner was just answered", async () => {
  const { key, project } = await submitted();
  const { key: stranger } = await service.account();
  for (let call = 0; call < 2; call++) {
    expect((await request("GET", `/projects/${project}`, { key })).status).toBe(200);
    expect((await request("GET", `/projects/${project}`, { key: stranger })).status).toBe(404);
  }
});

test("429: the limits of the minute and of the day hold for answers from memory", async () => {
  const { id, key } = await service.account();
  const statuses = [];
  for (let call = 0; call < 122; call++) statuses.push((await request("GET", "/pricing", { key })).status);
  expect(statuses).toEqual([...Array(120).fill(200), 429, 429]);
  clock.pass(DAY);
  const day = dayOf(clock.now());
  const requests = LIMITS.requests_per_day.count - 2;
  await db.tx((tx) => tx.q.insert(tx.t.usage).values({ accountId: id, day, requests, submissions: 0 }));
  const last = [];
  for (let call = 0; call < 4; call++) last.push((await request("GET", "/account", { key })).status);
  expect(last).toEqual([200, 200, 429, 429]);
});

test("400: two credentials or two hosts, after an answer that is in memory", async () => {
  const { key } = await service.account();
  for (let call = 0; call < 2; call++) expect((await request("GET", "/account", { key })).status).toBe(200);
  const { host } = new URL(service.url);
  const send = async (...headers: string[]) => {
    const lines = ["GET /api/v1/account HTTP/1.1", `Authorization: Bearer ${key}`, "Connection: close", ...headers];
    return (await (await rawClient(service.url, lines)).untilClosed()).slice("HTTP/1.1 ".length, 12);
  };
  expect(await send(`Host: ${host}`)).toBe("200");
  expect(await send(`Host: ${host}`, "Authorization: Bearer another")).toBe("400");
  expect(await send(`Host: ${host}`, "X-API-Key: another")).toBe("400");
  expect(await send(`Host: ${host}`, `X-API-Key: ${key}`)).toBe("200");
  expect(await send(`Host: ${host}`, "Host: another.example")).toBe("400");
  expect(await send("Host: another.example")).toBe("403");
  expect(await send(`Host: ${host}`, "Origin: https://another.example")).toBe("403");
  expect(await send(`Host: ${host}`, "Accept: text/csv")).toBe("200");
});
