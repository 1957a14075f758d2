import { expect, test } from "vitest";
import {
  consumeLimit,
  countsMade,
  purgeWindows,
  refundLimit,
  refuseOverLimit,
  resetLimit,
  tryConsumeLimit,
} from "../../../../src/domain/limits/window.ts";
import { HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
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

test("what would be refused can be asked for without being counted", async () => {
  const ask = () => refuseOverLimit(store.db, "a", "sitemap_reads", store.clock.now());
  for (let i = 0; i < 30; i++) await ask();
  expect(await times(20)).toEqual(["taken"]);
  await expect(ask()).rejects.toMatchObject({ code: "rate_limited", headers: { "Retry-After": "600" } });
});

test("in a transaction of others a call says whether it was counted, and an error stays one", async () => {
  const { db, clock } = store;
  const attempt = (accountId: string) => db.tx((tx) => tryConsumeLimit(tx, accountId, "sitemap_reads", clock.now()));
  expect(await times(19)).toEqual(["taken"]);
  expect([await attempt("a"), await attempt("a"), await attempt("b")]).toEqual([true, false, true]);
  await expect(attempt(null as never)).rejects.not.toBeInstanceOf(Refusal);
});

test("what is taken back leaves room in its own window, never more than was counted, and not in the next one", async () => {
  const { db, clock } = store;
  const counted = clock.now();
  const refund = (amount?: number) => db.tx((tx) => refundLimit(tx, "a", "sitemap_reads", counted, amount));
  expect(await times(20)).toEqual(["taken"]);
  await refund();
  await refund(2);
  expect(await times(4)).toEqual(["taken", "429, again in 600 s"]);
  await refund(21);
  expect(await take()).toBe("429, again in 600 s");
  clock.pass(10 * MINUTE);
  expect(await times(20)).toEqual(["taken"]);
  await refund();
  expect(await take()).toBe("429, again in 600 s");
});

test("a count that no time ends is refused without a time, and ends when it is reset", async () => {
  const { db, clock } = store;
  const name = "failed_sign_ins_in_a_row";
  const fail = () => consumeLimit(db, "a", name, clock.now());
  for (let i = 0; i < LIMITS[name].count; i++) await fail();
  clock.pass(1_000 * HOUR);
  const refusal = await fail().catch((thrown: Refusal) => thrown);
  expect(refusal).toMatchObject({ code: "rate_limited" });
  expect((refusal as Refusal).headers).toEqual({});
  const numbered = { subject: "of a time when the limit had a length", name, window: 5, count: 1 };
  await db.tx((tx) => tx.q.insert(tx.t.windows).values(numbered));
  await purgeWindows(db, clock.now());
  expect(await db.q.select({ subject: db.t.windows.subject }).from(db.t.windows)).toEqual([{ subject: "a" }]);
  await expect(fail()).rejects.toThrow(Refusal);
  await db.tx((tx) => resetLimit(tx, "b", name));
  await expect(fail()).rejects.toThrow(Refusal);
  await db.tx((tx) => resetLimit(tx, "a", name));
  await fail();
});

test("a limit of what an operation makes is not one of its calls", () => {
  expect([countsMade("checkout_links"), countsMade("sitemap_reads")]).toEqual([true, false]);
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
