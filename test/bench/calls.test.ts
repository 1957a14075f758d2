import { expect, test } from "vitest";
import { timesThatOf } from "../../bench/calls.ts";

const cost = (...rounds: number[]) => ({ median: 0, least: 0, most: 0, busy: 1, rounds });

test("a ratio is the median of the rounds' ratios: a round that was disturbed for both does not change it", () => {
  expect(timesThatOf(cost(10, 12, 40, 11, 60), cost(20, 24, 80, 22, 120))).toBe(0.5);
  expect(timesThatOf(cost(10, 11, 90), cost(20, 22, 20))).toBe(0.5);
});
