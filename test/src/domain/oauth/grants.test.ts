import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  createGrant,
  type EndedBy,
  extendGrant,
  grantOf,
  grantsOf,
  revokeGrant,
} from "../../../../src/domain/oauth/grants.ts";
import { requestApproval } from "../../../../src/domain/spending/approvals.ts";
import { SECOND } from "../../../../src/platform/clock.ts";
import { newMember, ownerOf, securityLogOf } from "../../../support/database/people.ts";
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

test.each([
  ["oauth", "cli_1", "app.connected", "cli_1"],
  ["agent", null, "agent.connected", "agent:mine"],
] as const)(
  "a grant of %s belongs to whoever connects it, and the account is told",
  async (kind, clientId, type, holder) => {
    const personId = await store.db.tx((tx) =>
      newMember(tx, { accountId, role: "manager", email: "member@example.com", now: now() }),
    );
    const grant = { accountId, personId, kind, clientId, name: "mine", scopes: ["read", "index"] } as const;
    const id = await store.db.tx((tx) => createGrant(tx, { ...grant, now: now() }));
    expect(id).toMatch(/^grt_[0-9a-z]+$/);
    expect(await grantOf(store.db, id)).toMatchObject({ personId, holder, endsAt: null, createdAt: now() });
    const events = await store.db.q.select().from(store.db.t.events).where(eq(store.db.t.events.type, type));
    const told = { connection_id: id, name: "mine", scopes: ["read", "index"] };
    expect(events.map(({ data }) => JSON.parse(data))).toEqual([told]);
  },
);

test("a grant without a person is of the oldest owner", async () => {
  expect(await grantOf(store.db, await make("mine"))).toMatchObject({ personId: await ownerOf(store.db, accountId) });
});

test("law: a grant ends with the last of its tokens, in whatever order they are issued", async () => {
  const id = await make("mine");
  const ends = [];
  for (const until of [5, 9, 7]) {
    await store.db.tx((tx) => extendGrant(tx, id, until));
    ends.push((await grantOf(store.db, id))!.endsAt);
  }
  expect(ends).toEqual([5, 9, 9]);
});

test("whoever is asked to approve a call of an app is not asked any more once it has ended", async () => {
  const id = await make("app");
  const question = { operation: "submit_urls", inputHash: "a", digest: "d", credits: 9, about: "{}", now: now() };
  const asker = { accountId, credential: id, credentialName: "app", holder: "agent:app" };
  await store.db.tx((tx) => requestApproval(tx, { ...asker, ...question }));
  const status = async () => (await store.db.q.select().from(store.db.t.approvals)).map((row) => row.status);
  expect(await status()).toEqual(["open"]);
  await end(id);
  expect(await status()).not.toContain("open");
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
