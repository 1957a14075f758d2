import { describe, expect, test } from "vitest";
import { nextRecheckAt, nextRunAt, soonestRunAt } from "../../../../src/domain/watches/schedule.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";

const NOW = Date.UTC(2026, 0, 5, 12);

describe.each([
  ["hour", HOUR],
  ["day", DAY],
  ["week", 7 * DAY],
] as const)("every %s", (every, length) => {
  const watches = Array.from({ length: 200 }, (_, at) => `wat_${at}`);

  test("law: a watch runs once in each interval, always at the same time of it, and never now", () => {
    for (const watch of watches.slice(0, 20)) {
      const next = nextRunAt(watch, every, NOW);
      expect(next).toBeGreaterThan(NOW);
      expect(next - NOW).toBeLessThanOrEqual(length);
      expect(nextRunAt(watch, every, next - 1)).toBe(next);
      expect(nextRunAt(watch, every, next)).toBe(next + length);
      expect(nextRunAt(watch, every, next + 10 * length)).toBe(next + 11 * length);
    }
  });

  test("law: the runs of all watches are spread over the interval", () => {
    const tenths = watches.map((watch) => Math.floor((nextRunAt(watch, every, NOW) - NOW - 1) / (length / 10)));
    const counts = Array.from({ length: 10 }, (_, tenth) => tenths.filter((one) => one === tenth).length);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    expect(Math.max(...counts)).toBeLessThan(45);
  });
});

test.each([
  ["that was never read: now", null, 0],
  ["that was just read: in an hour", NOW, HOUR],
  ["that was read half an hour ago: in half an hour", NOW - HOUR / 2, HOUR / 2],
  ["that was read an hour ago: now", NOW - HOUR, 0],
  ["that was read long ago: now", NOW - DAY, 0],
  ["that was read in the future, by a wrong clock: in an hour", NOW + DAY, HOUR],
] as const)("a watch is read at once, and at most once in an hour by a change: one %s", (_, readAt, after) => {
  expect(soonestRunAt(readAt, NOW) - NOW).toBe(after);
});

test.each([
  ["off", null],
  ["week", NOW + 7 * DAY],
  ["month", NOW + 30 * DAY],
] as const)("indexed pages are looked up again: %s", (recheck, at) => {
  expect(nextRecheckAt(recheck, NOW)).toBe(at);
});
