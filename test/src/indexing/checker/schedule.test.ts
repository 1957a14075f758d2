import { describe, expect, test } from "vitest";
import {
  day4Check,
  day14Check,
  finalCheck,
  firstCheck,
  nextEarlyCheck,
  repeatCheck,
  repeatDay4,
  repeatDay14,
  retryHeld,
  retrySend,
  secondCheck,
} from "../../../../src/indexing/checker/schedule.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";

/** A full minute, so that nothing is rounded unless a case asks for it. */
const SENT = Date.UTC(2026, 0, 5, 12);
const minutes = (at: number | null) => (at === null ? null : (at - SENT) / MINUTE);
const hours = (at: number | null) => (at === null ? null : (at - SENT) / HOUR);

describe("early checks of an instant link", () => {
  test.each([
    [0, 10],
    [10, 25],
    [11, 25],
    [25, 45],
    [44.9, 45],
    [45, null],
    [60, null],
    [600, null],
  ])("not there at minute %d: the next check is at %s", (elapsed, next) => {
    expect(minutes(nextEarlyCheck(SENT, SENT + elapsed * MINUTE, false))).toBe(next);
  });

  test.each([
    [10, 15],
    [20, 25],
    [22, 25],
    [42, 45],
    [45, 50],
    [55, 60],
    [56, null],
    [60, null],
  ])("unknown at minute %d: the next check is at %s", (elapsed, next) => {
    expect(minutes(nextEarlyCheck(SENT, SENT + elapsed * MINUTE, true))).toBe(next);
  });
});

test("day 4 is 96 hours after sending and day 14 is 336, rounded up to the full minute", () => {
  expect([hours(firstCheck(SENT)), hours(finalCheck(SENT))]).toEqual([96, 336]);
  for (const ms of [1, 1_000, MINUTE - 1]) {
    expect(firstCheck(SENT + ms)).toBe(SENT + 96 * HOUR + MINUTE);
    expect(finalCheck(SENT + ms)).toBe(SENT + 336 * HOUR + MINUTE);
  }
});

test("the steps of day 4 and day 14 are checks, due at their times", () => {
  expect(day4Check(SENT)).toEqual({ action: "check", stage: "day_4", dueAt: SENT + 96 * HOUR });
  expect(day14Check(SENT)).toEqual({ action: "check", stage: "day_14", dueAt: SENT + 336 * HOUR });
});

test("a second check is due at least 30 minutes later", () => {
  expect(minutes(secondCheck(SENT))).toBe(30);
  expect(minutes(secondCheck(SENT + 1))).toBe(31);
});

describe("unknown on day 4", () => {
  test("is checked again after 1, 2, 4, 8, 16 hours and then every day, until day 13", () => {
    const checks: number[] = [];
    for (let now = SENT + 4 * DAY, tries = 1; ; tries++) {
      const next = repeatDay4(SENT, now, tries);
      if (next === null) break;
      checks.push((next - SENT - 4 * DAY) / HOUR);
      now = next;
    }
    expect(checks).toEqual([1, 3, 7, 15, 31, 55, 79, 103, 127, 151, 175, 199]);
    expect(SENT + 4 * DAY + 199 * HOUR).toBeLessThan(SENT + 13 * DAY);
  });

  test("is never checked again at or after day 13", () => {
    expect(repeatDay4(SENT, SENT + 13 * DAY - HOUR, 1)).toBeNull();
    expect(hours(repeatDay4(SENT, SENT + 13 * DAY - HOUR - MINUTE, 1))).toBeLessThan(13 * 24);
  });
});

describe("unknown on day 14", () => {
  const nextCheck = (now: number, tries: number, available: number) => hours(repeatDay14(SENT, now, tries, available));
  const day14 = SENT + 14 * DAY;

  test.each([
    ["the first time", day14, 1, 0, 337],
    ["backs off", day14 + HOUR, 2, 0, 339],
    ["at most 6 hours apart", day14 + 20 * HOUR, 9, 0, 362],
    ["at the end of the 48 hours", day14 + 47 * HOUR, 9, 46 * HOUR, 385],
    ["48 hours available: settles", day14 + 48 * HOUR, 9, 48 * HOUR, null],
    ["little available: goes on", day14 + 6 * DAY, 9, HOUR, 486],
    ["not beyond 7 days", day14 + 7 * DAY - HOUR, 9, 0, 504],
    ["after 7 days: settles", day14 + 7 * DAY, 9, 0, null],
  ])("%s", (_, now, tries, available, next) => {
    expect(nextCheck(now, tries, available)).toBe(next);
  });
});

describe("unknown in a check project", () => {
  test("is checked again after 5, 10, 20 minutes …, at most 6 hours, the last time after 48 hours", () => {
    const checks: number[] = [];
    for (let now = SENT, tries = 1; ; tries++) {
      const next = repeatCheck(SENT, now, tries);
      if (next === null) break;
      checks.push(minutes(next)!);
      now = next;
    }
    expect(checks.slice(0, 7)).toEqual([5, 15, 35, 75, 155, 315, 635]);
    expect(checks[7]).toBe(635 + 360);
    expect(checks.at(-1)).toBe(48 * 60);
  });
});

test.each([
  ["backs off by itself", 1, undefined, 1],
  ["backs off by itself", 4, undefined, 8],
  ["at most 6 hours", 20, undefined, 360],
  ["when the engine says", 20, 90.5, 91],
  ["not before now", 3, -50, 0],
] as const)("a deferred send is tried again: %s", (_, tries, until, next) => {
  expect(minutes(retrySend(SENT, tries, until === undefined ? undefined : SENT + until * MINUTE))).toBe(next);
});

test("a held step is tried again in an hour", () => {
  expect(minutes(retryHeld(SENT))).toBe(60);
});
