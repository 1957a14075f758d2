import { beforeEach, expect, test } from "vitest";
import { identify, principalOfKey } from "../../../../src/domain/credentials/identify.ts";
import { endAfterDay, lastDayOf } from "../../../../src/domain/credentials/key-end.ts";
import {
  activeKeys,
  changeKeyOf,
  createKey,
  createKeyOnce,
  keyOfAccount,
  keysOf,
  revokeKey,
  revokeKeyOf,
} from "../../../../src/domain/credentials/keys.ts";
import { DAY, iso } from "../../../../src/platform/clock.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { securityLogOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const make = (name: string) =>
  store.db.tx((tx) => createKey(tx, { accountId, name, mode: "sandbox", now: store.clock.now() }));

test("limit: an eleventh active key is refused until another one is revoked", async () => {
  const keys: string[] = [];
  for (let n = 0; n < 10; n++) keys.push(await make(`key ${n}`));
  await expect(make("one more")).rejects.toThrow("10 active keys");
  const principal = await principalOfKey(store.db, keys[3]!, store.clock.now());
  await store.db.tx((tx) => revokeKey(tx, principal!.credential.id, store.clock.now()));
  await make("in its place");
  expect(await principalOfKey(store.db, keys[3]!, store.clock.now())).toBeNull();
});

test("only the hash of a key is stored; a key begins with bk_test_ in a sandbox, and has all scopes by default", async () => {
  const key = await make("k");
  expect(key).toMatch(/^bk_test_[\w-]{32}$/);
  const [row] = await store.db.q.select().from(store.db.t.apiKeys);
  expect(JSON.stringify(row)).not.toContain(key);
  expect((await principalOfKey(store.db, key, store.clock.now()))?.credential.scopes).toEqual([
    "read",
    "index",
    "purchase",
  ]);
});

test("limit: of 12 simultaneous requests 10 create a key", async () => {
  const made = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => make(`key ${n}`)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await activeKeys(store.db, accountId, store.clock.now())).toBe(10);
});

test("an id creates one key: not twice, not after it was revoked, and not for another account", async () => {
  const { db, clock } = store;
  const id = newId("key");
  const once = (whose = accountId) =>
    db.tx((tx) => createKeyOnce(tx, { id, accountId: whose, name: "k", mode: "sandbox", now: clock.now() }));
  const made = await Promise.all([once(), once(), once()]);
  expect(made.map((answer) => (answer.startsWith("bk_test_") ? "key" : answer)).sort()).toEqual([
    "exists",
    "exists",
    "key",
  ]);
  expect(await once(await store.account(10))).toBe("exists");
  await db.tx((tx) => revokeKey(tx, id, clock.now()));
  expect(await once()).toBe("exists");
  expect(await keysOf(db, accountId)).toEqual([]);
});

test("a key is revoked only by its own account, once, and the log says so", async () => {
  const { db, clock } = store;
  const key = await make("laptop");
  const [row] = await keysOf(db, accountId);
  const revoke = (whose: string) =>
    db.tx((tx) => revokeKeyOf(tx, whose, { keyId: row!.id, ip: "192.0.2.1", now: clock.now() }));
  expect(await revoke(await store.account(10))).toBe(false);
  expect(await principalOfKey(db, key, clock.now())).not.toBeNull();
  expect([await revoke(accountId), await revoke(accountId)]).toEqual([true, false]);
  expect(await principalOfKey(db, key, clock.now())).toBeNull();
  const { rows } = await securityLogOf(db, accountId, { limit: 10, offset: 0 });
  const subject = `laptop ****${key.slice(-4)}`;
  expect(rows.map(({ kind, subject, ip }) => [kind, subject, ip])).toEqual([
    ["key_revoked", subject, "192.0.2.1"],
    ["key_created", subject, null],
  ]);
});

test("a key is accepted until its end, does not count as active after it, and works again with a later one", async () => {
  const { db, clock } = store;
  const now = clock.now();
  const end = endAfterDay(iso(now).slice(0, 10), now)!;
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "short", expiresAt: end, mode: "sandbox", now }));
  const [row] = await keysOf(db, accountId);
  clock.pass(end - now - 1);
  expect(await principalOfKey(db, key, clock.now())).not.toBeNull();
  clock.pass(1);
  expect(await principalOfKey(db, key, clock.now())).toBeNull();
  const presentation = { resource: "/mcp", now: clock.now() } as const;
  await expect(identify(db, { apiKey: key }, presentation)).rejects.toMatchObject({
    code: "unauthorized",
    message: `This API key ended at ${iso(end)}. Its owner can set a later end date, or create a new key.`,
  });
  expect(await activeKeys(db, accountId, clock.now())).toBe(0);
  const change = (expiresAt: number | null) =>
    db.tx((tx) => changeKeyOf(tx, accountId, { keyId: row!.id, expiresAt, now: clock.now() }));
  expect(await change(end + DAY)).toBe("changed");
  expect(await principalOfKey(db, key, clock.now())).not.toBeNull();
  expect(await change(null)).toBe("changed");
  clock.pass(10 * DAY);
  expect(await principalOfKey(db, key, clock.now())).not.toBeNull();
  const { rows } = await securityLogOf(db, accountId, { limit: 2, offset: 0 });
  const title = `short ****${key.slice(-4)}`;
  expect(rows.map(({ kind, subject }) => [kind, subject])).toEqual([
    ["key_end_changed", `${title}: no end date`],
    ["key_end_changed", `${title}: ends on ${lastDayOf(end + DAY)}`],
  ]);
});

test("limit: an ended key does not work again while the account has the most active keys, and can still be renamed", async () => {
  const { db, clock } = store;
  const end = clock.now() + 1;
  await db.tx((tx) => createKey(tx, { accountId, name: "old", expiresAt: end, mode: "sandbox", now: clock.now() }));
  const [row] = await keysOf(db, accountId);
  clock.pass(1);
  for (let n = 0; n < 10; n++) await make(`key ${n}`);
  const change = (what: { name?: string; expiresAt?: number }) =>
    db.tx((tx) => changeKeyOf(tx, accountId, { ...what, keyId: row!.id, now: clock.now() }));
  expect(await change({ expiresAt: end + DAY })).toBe("full");
  expect(await change({ name: "older" })).toBe("changed");
  expect((await keyOfAccount(db, accountId, row!.id))?.name).toBe("older");
});

test("a key is changed only by its own account, and not after it was revoked", async () => {
  const { db, clock } = store;
  await make("mine");
  const [row] = await keysOf(db, accountId);
  const rename = (whose: string) =>
    db.tx((tx) => changeKeyOf(tx, whose, { keyId: row!.id, name: "taken", now: clock.now() }));
  expect(await rename(await store.account(10))).toBe("unknown");
  await db.tx((tx) => revokeKey(tx, row!.id, clock.now()));
  expect(await rename(accountId)).toBe("unknown");
  expect((await db.q.select().from(db.t.apiKeys)).map(({ name }) => name)).toContain("mine");
});

test.each([
  ["2026-02-28", "2026-03-01T00:00:00.000Z"],
  ["2026-02-30", null],
  ["2026-2-3", null],
  ["", null],
  ["2026-01-31", null],
  ["2026-02-01", "2026-02-02T00:00:00.000Z"],
  ["2040-01-01", null],
])("the last day %j, typed on 1 February 2026, ends a key at %j", (text, end) => {
  expect(iso(endAfterDay(text, Date.parse("2026-02-01T12:00:00Z")))).toBe(end);
});
