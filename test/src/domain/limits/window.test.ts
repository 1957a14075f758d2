import { expect, test } from "vitest";
import { consumeLimit, purgeWindows } from "../../../../src/domain/limits/window.ts";
import { HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import { rowsPerTransaction } from "../../../support/database/rows-per-transaction.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const take = (accountId = "a") =>
  consumeLimit(store.db, accountId, "sitemap_reads", store.clock.now()).then(
    () => "taken",
    (thrown: Refusal) => {
      expect(thrown).toBeInstanceOf(Refusal);
      return `${thrown.status}, again in ${thrown.headers["Retry-After"]} s`;
    },
  );
const times = async (count: number) => {
  const all = [];
  for (let i = 0; i < count; i++) all.push(await take());
  return [...new Set(all)];
};

test("20 in 10 minutes, then 429 until the window ends; refused calls are not counted", async () => {
  expect(await times(20)).toEqual(["taken"]);
  expect(await times(5)).toEqual(["429, again in 600 s"]);
  store.clock.pass(10 * MINUTE - 1);
  expect(await take()).toBe("429, again in 1 s");
  store.clock.pass(1);
  expect(await times(20)).toEqual(["taken"]);
  expect(await take()).toBe("429, again in 600 s");
});

test("of forty simultaneous calls exactly 20 are accepted", async () => {
  const all = await Promise.all(Array.from({ length: 40 }, () => take()));
  expect(all.filter((one) => one === "taken")).toHaveLength(20);
});

test("each account has its own count", async () => {
  await times(20);
  expect(await take("b")).toBe("taken");
});

test("there is one row per account and limit, over any number of windows", async () => {
  for (let i = 0; i < 5; i++) {
    await times(3);
    store.clock.pass(10 * MINUTE);
  }
  expect(await store.db.q.select().from(store.db.t.windows)).toHaveLength(1);
});

test("windows that have passed are deleted", async () => {
  await consumeLimit(store.db, "a", "agent_registrations", store.clock.now());
  await consumeLimit(store.db, "a", "sitemap_reads", store.clock.now());
  const left = async () => {
    await purgeWindows(store.db, store.clock.now());
    return (await store.db.q.select().from(store.db.t.windows)).length;
  };
  expect(await left()).toBe(2);
  store.clock.pass(10 * MINUTE);
  expect(await left()).toBe(1);
  store.clock.pass(HOUR);
  expect(await left()).toBe(0);
});

test("thousands of windows that have passed are all deleted, no more than 500 in a transaction", async () => {
  const { db, clock } = store;
  const windows = Array.from({ length: 1_250 }, (_, n) => ({
    subject: `${n}`,
    name: "agent_registrations",
    window: 1,
    count: 1,
  }));
  await db.tx((tx) => tx.q.insert(tx.t.windows).values(windows));
  const left = async () => (await db.q.select().from(db.t.windows)).length;
  const { watched, sizes } = rowsPerTransaction(db, left);
  await purgeWindows(watched, clock.now());
  expect(sizes).toEqual([500, 500, 250]);
  expect(await left()).toBe(0);
});
