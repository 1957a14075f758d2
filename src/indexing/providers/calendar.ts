import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";

/** Days as a provider counts them: its quota is new at midnight where it lives. Times in ms. */

/** The day at `at` in an IANA time zone, as yyyymmdd. */
export function dayIn(zone: string, at: number): number {
  const { year, month, day } = partsOf(zone, at);
  return year * 10_000 + month * 100 + day;
}

/** When the next day begins there. Right on the days on which clocks are turned, too. */
export function nextMidnight(zone: string, at: number): number {
  const today = dayIn(zone, at);
  const { hour, minute } = partsOf(zone, at);
  // Whole minutes are local time of day in every zone of today; a turned clock is at most an hour or two off.
  let midnight = Math.floor(at / MINUTE) * MINUTE + DAY - hour * HOUR - minute * MINUTE;
  while (dayIn(zone, midnight - MINUTE) !== today) midnight -= 15 * MINUTE;
  while (dayIn(zone, midnight) === today) midnight += 15 * MINUTE;
  return midnight;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(zone: string, at: number) {
  let format = formats.get(zone);
  if (!format) {
    const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...numeric });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return parts as { year: number; month: number; day: number; hour: number; minute: number };
}
