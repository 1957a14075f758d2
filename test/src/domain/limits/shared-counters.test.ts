import { expect, test } from "vitest";
import { type CountedRows, SharedCounters } from "../../../../src/domain/limits/shared-counters.ts";
import { DatabaseUnavailable } from "../../../../src/platform/errors/database-unavailable.ts";

/** Rows that are kept in memory, each as its key and count. `fail` is called before they are added. */
function table(fail = () => {}) {
  const batches: (readonly [key: string, count: number])[][] = [];
  const totals = new Map<string, number>();
  const rows: CountedRows<string> = {
    rowOf: (counted, count) => [counted, count],
    add: async (text) => {
      const batch = JSON.parse(text);
      batches.push(batch);
      fail();
      for (const [key, count] of batch) totals.set(key, (totals.get(key) ?? 0) + count);
      return new Map(batch.map(([key]: [string]) => [key, totals.get(key)]));
    },
  };
  return { rows, batches, totals };
}

const counterOf = (counters: SharedCounters<string>, key: string) => counters.of(key, () => key);

test("law: rows are written in the order of their keys, no more than 1,000 in a statement, and no row without a count", async () => {
  const counters = new SharedCounters<string>();
  const keys = Array.from({ length: 2_000 }, (_, n) => String((n * 7) % 2_000).padStart(4, "0"));
  for (const key of keys) counterOf(counters, key).take();
  counterOf(counters, "not taken");
  const { rows, batches } = table();
  await counters.flush(rows);
  expect(batches.map((batch) => batch.length)).toEqual([1_000, 1_000]);
  expect(batches.flat()).toEqual(keys.toSorted().map((key) => [key, 1]));
  await counters.flush(rows);
  expect(batches).toHaveLength(2);
  expect(counters.size).toBe(2_001);
});

test("a count is written once, and the total of the table is what is known from then on", async () => {
  const counters = new SharedCounters<string>();
  const { rows, batches, totals } = table();
  totals.set("a", 40);
  expect([counterOf(counters, "a").take(), counterOf(counters, "a").take()]).toEqual([1, 2]);
  expect(counters.find("a")).toBe(counterOf(counters, "a"));
  expect(counters.find("b")).toBeUndefined();
  expect(counters.of("b", () => "b", 7).take()).toBe(8);
  await counters.flush(rows);
  expect(batches).toEqual([
    [
      ["a", 2],
      ["b", 1],
    ],
  ]);
  expect(counterOf(counters, "a").take()).toBe(43);
  await counters.flush(rows);
  expect(batches[1]).toEqual([["a", 1]]);
});

test("what is counted while a flush writes is written by the next one", async () => {
  const counters = new SharedCounters<string>();
  let later = 1;
  const { rows, batches } = table(() => {
    if (later-- > 0) counterOf(counters, "a").take();
  });
  counterOf(counters, "a").take();
  await counters.flush(rows);
  await counters.flush(rows);
  await counters.flush(rows);
  expect(batches).toEqual([[["a", 1]], [["a", 1]]]);
});

test.each([
  ["is not reached", new DatabaseUnavailable("It is away.", null), 2],
  ["may have written it", new DatabaseUnavailable("It is away.", null, true), 1],
  ["has an error", new Error("a fault"), 2],
])(
  "where the database %s, the count is written again unless it may be there, and known as before",
  async (_, thrown, tries) => {
    const counters = new SharedCounters<string>();
    let failures = 1;
    const { rows, batches } = table(() => {
      if (failures-- > 0) throw thrown;
    });
    counterOf(counters, "a").take();
    await expect(counters.flush(rows)).rejects.toBe(thrown);
    expect(counterOf(counters, "a").total).toBe(1);
    await counters.flush(rows);
    expect(batches).toHaveLength(tries);
  },
);

test("counters are forgotten that are over and written", async () => {
  const counters = new SharedCounters<string>();
  const { rows } = table();
  counterOf(counters, "over").take();
  counterOf(counters, "not over").take();
  await counters.flush(rows);
  counterOf(counters, "over, not written").take();
  counters.forget((counted) => counted.startsWith("over"));
  expect(["over", "not over", "over, not written"].map((key) => counters.find(key) !== undefined)).toEqual([
    ...[false, true, true],
  ]);
});
