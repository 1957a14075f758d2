import { beforeEach, expect, test } from "vitest";
import { KeyCalls } from "../../../../src/domain/calls/key-calls.ts";
import { callsByDay, callsOfKeys, purgeKeyUsage, USAGE_DAYS } from "../../../../src/domain/calls/key-usage.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const callsOf = async (keyId: string) =>
  (await callsByDay(store.db, [keyId], now())).filter(({ calls }) => calls > 0).map(({ calls }) => calls);

test("calls of several processes add up, by key and UTC day", async () => {
  const processes = [new KeyCalls(store.db), new KeyCalls(store.db)];
  const countAll = async () => {
    for (const one of processes) for (let n = 0; n < 5; n++) one.count(accountId, "key_a", now());
    processes[0]!.count(accountId, "key_b", now());
    for (const one of processes) await one.flush();
  };
  await countAll();
  await countAll();
  store.clock.pass(DAY);
  await countAll();
  expect([await callsOf("key_a"), await callsOf("key_b")]).toEqual([
    [20, 10],
    [2, 1],
  ]);
  expect(await callsOfKeys(store.db, accountId, now())).toEqual(
    new Map([
      ["key_a", 30],
      ["key_b", 3],
    ]),
  );
  expect(await callsOfKeys(store.db, await store.account(10), now())).toEqual(new Map());
});

test("a hundred calls in a minute are one write, and those after it come with the next minute", async () => {
  let transactions = 0;
  const counted: typeof store.db = {
    ...store.db,
    tx(work) {
      transactions += 1;
      return store.db.tx(work);
    },
  };
  store.clock.pass(MINUTE - (now() % MINUTE));
  const calls = new KeyCalls(counted);
  const second = async () => {
    calls.count(accountId, "key_a", now());
    await calls.flushEachMinute(now());
    store.clock.pass(SECOND);
  };
  for (let n = 0; n < 60; n++) await second();
  expect([transactions, await callsOf("key_a")]).toEqual([1, [1]]);
  await second();
  expect([transactions, await callsOf("key_a")]).toEqual([2, [61]]);
  await calls.flush();
  expect(transactions).toBe(2);
});

test("law: a key's first call of each minute is told apart, whatever was written in between, and each key for itself", async () => {
  store.clock.pass(DAY - MINUTE - (now() % DAY));
  const calls = new KeyCalls(store.db);
  const firsts = async (minutes: number) => {
    const found: boolean[] = [];
    for (let n = 0; n < 3 * minutes; n++) {
      found.push(calls.count(accountId, "key_a", now()));
      await calls.flushEachMinute(now());
      store.clock.pass(20 * SECOND);
    }
    return found;
  };
  // The last minute of a day, and the first two of the next.
  expect(await firsts(3)).toEqual(Array.from({ length: 3 }, () => [true, false, false]).flat());
  expect([calls.count(accountId, "key_b", now()), calls.count(accountId, "key_b", now())]).toEqual([true, false]);
  await calls.flush();
  expect(await callsOf("key_a")).toEqual([3, 6]);
});

test("a failed write loses nothing", async () => {
  let isDown = true;
  const failing: typeof store.db = {
    ...store.db,
    tx: (work) => (isDown ? Promise.reject(new Error("down")) : store.db.tx(work)),
  };
  const calls = new KeyCalls(failing);
  calls.count(accountId, "key_a", now());
  await expect(calls.flushEachMinute(now())).rejects.toThrow("down");
  isDown = false;
  calls.count(accountId, "key_a", now());
  await calls.flushEachMinute(now());
  expect(await callsOf("key_a")).toEqual([2]);
});

test("counts are shown for 30 days and deleted after 400", async () => {
  const calls = new KeyCalls(store.db);
  calls.count(accountId, "key_a", now());
  await calls.flush();
  store.clock.pass((USAGE_DAYS - 1) * DAY);
  expect(await callsOf("key_a")).toEqual([1]);
  store.clock.pass(DAY);
  expect(await callsOf("key_a")).toEqual([]);
  await purgeKeyUsage(store.db, now());
  expect(await store.db.q.select().from(store.db.t.keyUsage)).toHaveLength(1);
  store.clock.pass((400 - USAGE_DAYS) * DAY);
  await purgeKeyUsage(store.db, now());
  expect(await store.db.q.select().from(store.db.t.keyUsage)).toEqual([]);
});
