import { beforeEach, expect, test } from "vitest";
import { createGrant, type EndedBy, grantOf, grantsOf, revokeGrant } from "../../../../src/domain/oauth/grants.ts";
import { SECOND } from "../../../../src/platform/clock.ts";
import { securityLogOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const make = (name: string, kind: "oauth" | "agent" = "oauth") =>
  store.db.tx((tx) => createGrant(tx, { accountId, kind, clientId: null, name, scopes: ["read"], now: now() }));
const end = (grantId: string, by: EndedBy = "owner") =>
  store.db.tx((tx) => revokeGrant(tx, { grantId, by, ip: "192.0.2.1", now: now() }));
const log = async () => (await securityLogOf(store.db, accountId, { limit: 10, offset: 0 })).rows;

test("active grants are listed, newest first; ended ones are not", async () => {
  const first = await make("first");
  store.clock.pass(SECOND);
  const second = await make("second", "agent");
  expect((await grantsOf(store.db, accountId)).map(({ id }) => id)).toEqual([second, first]);
  expect(await end(first)).toBe(true);
  expect((await grantsOf(store.db, accountId)).map(({ id }) => id)).toEqual([second]);
  expect(await grantOf(store.db, first)).toBeNull();
});

test("a grant is found for its own account only", async () => {
  const id = await make("mine");
  expect(await grantOf(store.db, id, accountId)).toMatchObject({ id });
  expect(await grantOf(store.db, id, await store.account(10))).toBeNull();
  expect(await grantOf(store.db, "grt_none")).toBeNull();
});

test("a grant ends once: a second revocation changes and logs nothing", async () => {
  const id = await make("app");
  const ended = await Promise.all([end(id), end(id), end(id)]);
  expect(ended.filter(Boolean)).toEqual([true]);
  const [grant] = await store.db.q.select().from(store.db.t.grants);
  expect(grant).toMatchObject({ revokedAt: now(), endedBy: "owner" });
  expect((await log()).map(({ kind }) => kind)).toEqual(["disconnected", "app_connected"]);
  expect(await end("grt_none")).toBe(false);
});

test.each<[EndedBy, string]>([
  ["owner", "disconnected"],
  ["token_revoked", "disconnected"],
  ["never_collected", "disconnected"],
  ["password_reset", "disconnected"],
  ["expired", "access_expired"],
  ["code_reused", "token_reused"],
  ["refresh_reused", "token_reused"],
])("ended by %s: the log says %s", async (by, kind) => {
  await end(await make("app", "agent"), by);
  expect(await log()).toMatchObject([
    { kind, subject: "app", ip: "192.0.2.1" },
    { kind: "agent_connected", ip: null },
  ]);
});
