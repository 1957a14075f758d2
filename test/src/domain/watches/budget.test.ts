import { beforeEach, describe, expect, test } from "vitest";
import { createKeyOnce } from "../../../../src/domain/credentials/keys.ts";
import { calendarDay } from "../../../../src/domain/spending/calendar.ts";
import { NO_LIMITS, type SpendingLimits } from "../../../../src/domain/spending/limits.ts";
import { allowanceOf, mostOfRun, spentIn } from "../../../../src/domain/watches/budget.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import { DEFAULT_SETTINGS } from "../../../../src/domain/watches/settings.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(1_000);
});

/** Nothing of it limits a run. */
const watchOf = async (change: Partial<WatchRow> = {}): Promise<WatchRow> =>
  ({
    ...{ ...DEFAULT_SETTINGS, include: "[]", exclude: "[]", creditsPerMonth: 1_000_000, mostPerRun: 1_000_000 },
    ...{ accountId, maker: await ownerOf(store.db, accountId), month: 0, spentThisMonth: 0, firstRun: "done" },
    ...change,
  }) as WatchRow;
const times = (balance: number) => ({ balance, now: store.clock.now(), service: store.clock.service() });
const allowed = async (change: Partial<WatchRow>, balance = 1_000) =>
  Object.values(await allowanceOf(store.db, await watchOf(change), times(balance)));
const most = async (change: Partial<WatchRow>, balance = 1_000_000) =>
  mostOfRun(store.db, await watchOf(change), times(balance));

async function makerWith(limits: Partial<SpendingLimits>): Promise<string> {
  const key = { id: "key_1", accountId, name: "ci", mode: "sandbox", limits: { ...NO_LIMITS, ...limits } } as const;
  await store.db.tx((tx) => createKeyOnce(tx, { ...key, now: store.clock.now() }));
  return "key_1";
}

test("law: what was spent counts in its own month, and in none before it, as when a clock goes back", () => {
  const january = Date.UTC(2026, 0, 31, 23);
  const { month } = calendarDay(january);
  const spent = (of: number) => spentIn({ month: of, spentThisMonth: 7 }, january);
  expect([spent(month - 1), spent(month), spent(month + 1)]).toEqual([0, 7, 7]);
});

describe("a run may spend the least of", () => {
  test("what is left of the month of the watch", async () => {
    const { month } = calendarDay(store.clock.service());
    expect(await allowed({ creditsPerMonth: 10 })).toEqual([10, "credits_per_month"]);
    expect(await allowed({ creditsPerMonth: 10, month, spentThisMonth: 4 })).toEqual([6, "credits_per_month"]);
    expect(await allowed({ creditsPerMonth: 10, month, spentThisMonth: 14 })).toEqual([0, "credits_per_month"]);
  });

  test("the balance", async () => {
    expect(await allowed({}, 999)).toEqual([999, "balance"]);
    expect(await allowed({}, -1)).toEqual([0, "balance"]);
    expect(await allowed({ creditsPerMonth: 999 }, 999)).toEqual([999, "credits_per_month"]);
  });

  test("the limits of whoever runs it", async () => {
    expect(await allowed({ maker: await makerWith({ perCall: 20 }) })).toEqual([20, "credential"]);
    expect(await allowed({ maker: "key_1", creditsPerMonth: 19 })).toEqual([19, "credits_per_month"]);
  });

  test("what no person has to approve", async () => {
    expect(await allowed({ maker: await makerWith({ perCall: 20, approveAbove: 5 }) })).toEqual([5, "credential"]);
  });

  test("the other ones, where its maker is gone", async () => {
    expect(await allowed({ maker: "key_gone" })).toEqual([1_000, "balance"]);
  });
});

describe("the most that a run can cost is", () => {
  test("nothing where it submits nothing", async () => {
    expect(await most({ firstRun: "baseline" })).toBe(0);
    expect(await most({ newPages: "notify", changedPages: "ignore" })).toBe(0);
    expect(await most({ newPages: "notify", changedPages: "submit", mostPerRun: 3 })).toBe(3);
    expect(await most({ newPages: "submit", changedPages: "ignore", mostPerRun: 3 })).toBe(3);
  });

  test("its pages, in its mode", async () => {
    expect(await most({ mostPerRun: 100 })).toBe(100);
    expect(await most({ mostPerRun: 100, mode: "instant" })).toBe(300);
    expect(await most({})).toBe(10_000);
  });

  test("what it may spend, in whole pages", async () => {
    expect(await most({}, 8)).toBe(8);
    expect(await most({ mode: "instant" }, 8)).toBe(6);
    expect(await most({ mostPerRun: 100, creditsPerMonth: 7 })).toBe(7);
  });
});
