import { expect, test } from "vitest";
import { calendarDay } from "../../../../src/domain/spending/calendar.ts";
import { DAY } from "../../../../src/platform/clock.ts";

test.each([
  ["a leap day's last ms", Date.UTC(2028, 1, 29, 23, 59, 59, 999), [2028, 1, 29], [2028, 2, 1], [2028, 2, 1]],
  ["a month's first ms", Date.UTC(2028, 2, 1), [2028, 2, 1], [2028, 2, 2], [2028, 3, 1]],
  ["the last day of a year", Date.UTC(2026, 11, 31, 12), [2026, 11, 31], [2027, 0, 1], [2027, 0, 1]],
] as const)(
  "days and months are in UTC, and the next ones begin at midnight: %s",
  (_, now, today, nextDay, nextMonth) => {
    const utc = ([year, month, day]: readonly [number, number, number]) => Date.UTC(year, month, day);
    expect(calendarDay(now)).toEqual({
      day: utc(today) / DAY,
      month: today[0] * 12 + today[1],
      nextDay: utc(nextDay),
      nextMonth: utc(nextMonth),
    });
  },
);
