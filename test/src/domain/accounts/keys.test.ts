import { beforeEach, expect, test } from "vitest";
import {
  activeKeyIds,
  createKey,
  createKeyOnce,
  keysOf,
  revokeKey,
  revokeKeyOf,
} from "../../../../src/domain/accounts/keys.ts";
import { securityEventsOf } from "../../../../src/domain/auth/events.ts";
import { principalOfKey } from "../../../../src/domain/auth/identify.ts";
import { newId } from "../../../../src/platform/ids.ts";
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
  const principal = await principalOfKey(store.db, keys[3]!);
  await store.db.tx((tx) => revokeKey(tx, principal!.credential.id, store.clock.now()));
  await make("in its place");
  expect(await principalOfKey(store.db, keys[3]!)).toBeNull();
});

test("only the hash of a key is stored; a key begins with bk_test_ in a sandbox, and has all scopes by default", async () => {
  const key = await make("k");
  expect(key).toMatch(/^bk_test_[\w-]{32}$/);
  const [row] = await store.db.q.select().from(store.db.t.apiKeys);
  expect(JSON.stringify(row)).not.toContain(key);
  expect((await principalOfKey(store.db, key))?.credential.scopes).toEqual(["read", "index", "purchase"]);
});

test("limit: of 12 simultaneous requests 10 create a key", async () => {
  const made = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => make(`key ${n}`)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await activeKeyIds(store.db, accountId)).toHaveLength(10);
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
  expect(await principalOfKey(db, key)).not.toBeNull();
  expect([await revoke(accountId), await revoke(accountId)]).toEqual([true, false]);
  expect(await principalOfKey(db, key)).toBeNull();
  const { rows } = await securityEventsOf(db, accountId, { limit: 10, offset: 0 });
  const subject = `laptop ****${key.slice(-4)}`;
  expect(rows.map(({ kind, subject, ip }) => [kind, subject, ip])).toEqual([
    ["key_revoked", subject, "192.0.2.1"],
    ["key_created", subject, null],
  ]);
});
