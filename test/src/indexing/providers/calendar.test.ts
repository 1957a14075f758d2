import { describe, expect, test } from "vitest";
import { dayIn, nextMidnight } from "../../../../src/indexing/providers/calendar.ts";

const PACIFIC = "America/Los_Angeles";
const MOSCOW = "Europe/Moscow";

describe("days as a provider counts them", () => {
  test.each([
    ["UTC", "2026-01-05T23:59:59.999Z", 20260105, "2026-01-06T00:00:00.000Z"],
    ["UTC", "2026-01-06T00:00:00.000Z", 20260106, "2026-01-07T00:00:00.000Z"],
    [PACIFIC, "2026-01-06T07:59:59.000Z", 20260105, "2026-01-06T08:00:00.000Z"],
    [PACIFIC, "2026-07-06T07:00:00.000Z", 20260706, "2026-07-07T07:00:00.000Z"],
    [MOSCOW, "2026-01-05T20:59:00.000Z", 20260105, "2026-01-05T21:00:00.000Z"],
    [MOSCOW, "2026-12-31T21:00:00.000Z", 20270101, "2027-01-01T21:00:00.000Z"],
    ["Asia/Kathmandu", "2026-01-05T18:14:59.000Z", 20260105, "2026-01-05T18:15:00.000Z"],
  ])("%s at %s is day %i, and the next begins at %s", (zone, at, day, midnight) => {
    expect(dayIn(zone, Date.parse(at))).toBe(day);
    expect(new Date(nextMidnight(zone, Date.parse(at))).toISOString()).toBe(midnight);
  });

  test.each([
    ["the day of 23 hours", "2026-03-08T08:00:00.000Z", "2026-03-09T07:00:00.000Z"],
    ["the day of 25 hours", "2026-11-01T07:00:00.000Z", "2026-11-02T08:00:00.000Z"],
  ])("daylight saving time: %s", (_, begin, end) => {
    const [from, to] = [Date.parse(begin), Date.parse(end)];
    for (let at = from; at < to; at += 7 * 60_000) expect(nextMidnight(PACIFIC, at)).toBe(to);
  });
});
