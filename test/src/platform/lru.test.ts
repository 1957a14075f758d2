import { expect, test } from "vitest";
import { Lru } from "../../../src/platform/lru.ts";
import { TestClock } from "../../support/service/clock.ts";

test("keeps entries that were used lately, up to a number", () => {
  const lru = new Lru<number>(new TestClock(), { entries: 3, weight: 1_000 });
  for (const [index, key] of ["a", "b", "c"].entries()) lru.set(key, index, 1_000);
  lru.get("a");
  lru.set("d", 3, 1_000);
  expect(["a", "b", "c", "d"].map((key) => lru.get(key))).toEqual([0, undefined, 2, 3]);
});

test("keeps entries up to a total weight with their keys, and never one that is too heavy alone", () => {
  const lru = new Lru<string>(new TestClock(), { entries: 100, weight: 100 });
  lru.set("a", "light", 1_000, 40);
  lru.set("b", "light", 1_000, 40);
  expect(lru.get("a")).toBe("light");
  lru.set("c", "light", 1_000, 40);
  expect(["a", "b", "c"].map((key) => lru.get(key))).toEqual(["light", undefined, "light"]);
  lru.set("d", "heavy", 1_000, 100);
  expect(["a", "b", "c", "d"].map((key) => lru.get(key))).toEqual(["light", undefined, "light", undefined]);
  lru.set("e", "light", 1_000, 40);
  expect(lru.get("e")).toBe("light");
});

test("a key that is set again is weighed once", () => {
  const lru = new Lru<number>(new TestClock(), { entries: 100, weight: 100 });
  for (let i = 0; i < 10; i++) lru.set("a", i, 1_000, 40);
  lru.set("b", 1, 1_000, 40);
  expect([lru.get("a"), lru.get("b")]).toEqual([9, 1]);
});

test("drops an entry at its age limit, which use does not extend", () => {
  const clock = new TestClock();
  const lru = new Lru<number>(clock, { entries: 3, weight: 1_000 });
  lru.set("a", 1, 1_000);
  clock.pass(999);
  expect(lru.get("a")).toBe(1);
  clock.pass(1);
  expect(lru.get("a")).toBeUndefined();
});
