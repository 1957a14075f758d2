import { afterEach, beforeEach, expect, test } from "vitest";
import { createKey, revokeKey } from "../../../src/accounts/keys.ts";
import { principalOfKey } from "../../../src/auth/identify.ts";
import { type TestStore, testStore } from "../../support/store.ts";

let store: TestStore;
let accountId: string;
beforeEach(async () => {
  store = testStore();
  accountId = await store.account(10);
});
afterEach(() => store.close());

const make = (name: string) =>
  store.db.tx((tx) => createKey(tx, { accountId, name, mode: "sandbox", now: store.clock.now() }));

test("limit: an eleventh active key is refused, and one may follow a revoked one", async () => {
  const keys: string[] = [];
  for (let n = 0; n < 10; n++) keys.push(await make(`key ${n}`));
  await expect(make("one more")).rejects.toThrow("10 active keys");
  const principal = await principalOfKey(store.db, keys[3]!);
  await store.db.tx((tx) => revokeKey(tx, principal!.credential.id, store.clock.now()));
  await make("in its place");
  expect(await principalOfKey(store.db, keys[3]!)).toBeNull();
});

test("a key is kept as its hash only, begins bk_test_ in a sandbox, and has all scopes unless told otherwise", async () => {
  const key = await make("k");
  expect(key).toMatch(/^bk_test_[\w-]{32}$/);
  const [row] = await store.db.q.select().from(store.db.t.apiKeys);
  expect(JSON.stringify(row)).not.toContain(key);
  expect((await principalOfKey(store.db, key))?.credential.scopes).toEqual(["read", "index", "purchase"]);
});
