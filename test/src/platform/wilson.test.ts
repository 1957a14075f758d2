import { expect, test } from "vitest";
import { wilson } from "../../../src/platform/wilson.ts";

/** R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("the interval of %i of %i is the published one", (count, n, low, high) => {
  const interval = wilson(count, n);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test("at none and at all the interval ends at 0 and at 1, and it always holds the share", () => {
  for (let n = 1; n <= 60; n++) {
    expect(wilson(0, n).low).toBe(0);
    expect(wilson(n, n).high).toBe(1);
    for (let count = 0; count <= n; count++) {
      const { low, high } = wilson(count, n);
      expect(low <= count / n && count / n <= high && low >= 0 && high <= 1).toBe(true);
    }
  }
});
