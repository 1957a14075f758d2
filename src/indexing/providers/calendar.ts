import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";

/** Calendar days in a provider's time zone. Midnight there renews the provider's quota. Times in ms. */

/** The day at `at` in an IANA time zone, as yyyymmdd. */
export function dayIn(zone: string, at: number): number {
  const { year, month, day } = partsOf(zone, at);
  return year * 10_000 + month * 100 + day;
}

/** When the next day begins in an IANA time zone. It holds on days with a change of the clocks too. */
export function nextMidnight(zone: string, at: number): number {
  const today = dayIn(zone, at);
  const { hour, minute } = partsOf(zone, at);
  // All zones have offsets of whole minutes today. A change of the clocks makes this wrong by an hour or two at most.
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
