import { expect, test } from "vitest";
import { fisher, newcombe, smallestLift } from "../../../src/platform/two-proportions.ts";

/** R. G. Newcombe, Statistics in Medicine 17 (1998), p. 873, table II, method 10. */
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])("the interval of %i of %i less %i of %i is the published one", (a, m, b, n, low, high) => {
  const interval = newcombe({ count: a, n: m }, { count: b, n });
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test("law: the interval holds the difference, and is the other way round for the other way round", () => {
  for (let m = 1; m <= 12; m++)
    for (let n = 1; n <= 12; n++)
      for (let a = 0; a <= m; a++)
        for (let b = 0; b <= n; b++) {
          const [one, other] = [
            { count: a, n: m },
            { count: b, n },
          ];
          const { low, high } = newcombe(one, other);
          const difference = a / m - b / n;
          expect(low <= difference && difference <= high && low >= -1 && high <= 1).toBe(true);
          const back = newcombe(other, one);
          expect([back.low + high, back.high + low].every((zero) => Math.abs(zero) < 1e-12)).toBe(true);
        }
});

/** The tea of R. A. Fisher (The Design of Experiments, 1935), his twins (R, fisher.test), and SciPy's fisher_exact. */
test.each([
  [3, 1, 1, 3, 0.4857],
  [2, 15, 10, 3, 0.0005367],
  [6, 2, 1, 4, 0.1026],
  [8, 2, 1, 5, 0.034965],
  [4, 0, 0, 4, 0.02857],
])("p of %i, %i against %i, %i is the published one", (a, b, c, d, p) => {
  expect(fisher({ count: a, n: a + b }, { count: c, n: c + d })).toBeCloseTo(p, 4);
});

test("law: p is what counting all tables gives", () => {
  const ways = (n: number, k: number): number => (k === 0 ? 1 : (ways(n - 1, k - 1) * n) / k);
  for (let m = 1; m <= 8; m++)
    for (let n = 1; n <= 8; n++)
      for (let a = 0; a <= m; a++)
        for (let b = 0; b <= n; b++) {
          const of = (x: number) =>
            x < 0 || x > m || a + b - x < 0 || a + b - x > n ? 0 : ways(m, x) * ways(n, a + b - x);
          let p = 0;
          for (let x = 0; x <= m; x++) if (of(x) <= of(a) * (1 + 1e-7)) p += of(x) / ways(m + n, a + b);
          expect(fisher({ count: a, n: m }, { count: b, n })).toBeCloseTo(p, 9);
        }
});

/** Sample sizes of power.prop.test in R, which are those of Fleiss without correction, for a power of 80 %. */
test.each([
  [0.5, 93, 0.7],
  [0.5, 388, 0.6],
  [0.1, 199, 0.2],
])("from %f, %i in each group show %f", (rate, n, lifted) => {
  expect(smallestLift(rate, n, n)! + rate).toBeCloseTo(lifted, 2);
});

test("the smallest lift shrinks with the size; where all are there already, none can be shown", () => {
  const lifts = [20, 50, 100, 1_000, 10_000].map((n) => smallestLift(0.3, n, n)!);
  expect(lifts).toEqual(lifts.toSorted((a, b) => b - a));
  expect([smallestLift(1, 100, 100), smallestLift(0.9, 20, 20), smallestLift(0.5, 4, 4)]).toEqual([null, null, null]);
  expect(smallestLift(0, 180, 20)).toBeGreaterThan(0);
});
