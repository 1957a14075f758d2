import { beforeEach, expect, test } from "vitest";
import { LastUsed } from "../../../../src/domain/calls/last-used.ts";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
let lastUsed: LastUsed;
let transactions: number;
beforeEach(async () => {
  accountId = await store.account(10);
  transactions = 0;
  const counted: typeof store.db = {
    ...store.db,
    tx(work) {
      transactions += 1;
      return store.db.tx(work);
    },
  };
  lastUsed = new LastUsed(counted);
});

const now = () => store.clock.now();
const connected = () =>
  store.db.tx((tx) =>
    createGrant(tx, { accountId, kind: "oauth", clientId: null, name: "app", scopes: ["read"], now: now() }),
  );
const touch = (id: string, type: "oauth" | "agent" | "api_key" = "oauth") =>
  lastUsed.touch({ id, type, name: "x", scopes: [], holder: id }, now());
const uses = async (table: "grants" | "apiKeys" = "grants") =>
  (await store.db.q.select().from(store.db.t[table])).map(({ lastUsedAt }) => lastUsedAt);

test("keys and grants are written to their tables by a flush", async () => {
  await store.db.tx((tx) => createKey(tx, { accountId, name: "ci", mode: "sandbox", now: now() }));
  const [key] = await store.db.q.select().from(store.db.t.apiKeys);
  touch(await connected());
  touch(key!.id, "api_key");
  expect([...(await uses()), ...(await uses("apiKeys"))]).toEqual([null, null]);
  await lastUsed.flush();
  expect([...(await uses()), ...(await uses("apiKeys"))]).toEqual([now(), now()]);
});

test("nothing is written when nothing was used", async () => {
  await lastUsed.flush();
  expect(transactions).toBe(0);
});

test("many credentials are written in batches, and no others are changed", async () => {
  const ids = [];
  for (let n = 0; n < 12; n++) ids.push(await connected());
  const strangers = Array.from({ length: 1_200 }, (_, n) => `grt_${n}`);
  for (const id of [...strangers, ...ids.slice(0, 10)]) touch(id);
  await lastUsed.flush();
  expect(transactions).toBe(3);
  expect((await uses()).filter((at) => at === now())).toHaveLength(10);
});
