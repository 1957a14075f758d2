import { DAY } from "../../platform/clock.ts";

/** A UTC day and month as numbers that grow by one, and when the next ones begin (real time). */
export interface CalendarDay {
  /** Days since 1970. */
  readonly day: number;
  /** Months since the year 0. */
  readonly month: number;
  readonly nextDay: number;
  readonly nextMonth: number;
}

export function calendarDay(now: number): CalendarDay {
  const day = Math.floor(now / DAY);
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { day, month: year * 12 + month, nextDay: (day + 1) * DAY, nextMonth: Date.UTC(year, month + 1, 1) };
}
