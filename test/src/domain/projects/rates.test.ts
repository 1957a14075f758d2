import { expect, test } from "vitest";
import { rateOf } from "../../../../src/domain/projects/rates.ts";
import { wilson } from "../../../../src/platform/wilson.ts";

const counts = (indexed: number, not_indexed: number, more: object = {}) => {
  return { waiting: 0, checking: 0, indexed, gone: 0, not_indexed, unknown: 0, failed: 0, ...more };
};
const NOTHING = { rate: null, low: null, high: null, differs: null };

test("below 20 decided pages nothing is said; pages that nobody could decide, and failed ones, count in neither", () => {
  expect(rateOf(counts(19, 0, { unknown: 50, failed: 50, waiting: 9 }), counts(500, 500))).toEqual(NOTHING);
  expect(rateOf(counts(10, 10), counts(500, 500))).toEqual({ rate: 50, low: 29.9, high: 70.1, differs: null });
  expect(rateOf(counts(10, 5, { gone: 5 }), counts(500, 500)).rate).toBe(50);
});

test("law: a group is better or worse only where its interval clears the interval of all other pages", () => {
  for (let own = 0; own <= 40; own++)
    for (let others = 0; others <= 40; others += 5) {
      const { differs } = rateOf(counts(own, 40 - own), counts(own + others, 80 - own - others));
      const [one, rest] = [wilson(own, 40), wilson(others, 40)];
      expect(differs).toBe(one.low > rest.high ? "better" : one.high < rest.low ? "worse" : null);
    }
});

test("a group that is nearly the whole project is compared with nobody", () => {
  expect(rateOf(counts(100, 0), counts(100, 19)).differs).toBeNull();
  expect(rateOf(counts(100, 0), counts(100, 20)).differs).toBe("better");
});

test("at none and at all, the interval has a width and stays between 0 and 100", () => {
  expect(rateOf(counts(0, 40), counts(20, 60))).toMatchObject({ rate: 0, low: 0, high: 8.8, differs: "worse" });
  expect(rateOf(counts(40, 0), counts(60, 20))).toMatchObject({ rate: 100, low: 91.2, high: 100, differs: "better" });
  for (const one of [counts(0, 1e7), counts(1e7, 0)]) {
    const { low, high } = rateOf(one, one);
    expect(low! >= 0 && high! <= 100 && low! <= high!).toBe(true);
  }
});
