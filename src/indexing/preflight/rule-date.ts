import { HOUR, MINUTE } from "../../platform/clock.ts";

const TIME = String.raw`(?<hours>\d\d?):?(?<minutes>\d\d)(?::?(?<seconds>\d\d)(?:\.\d+)?)?\s*(?<zone>z|utc?|gmt|[ecmp][sd]t|[+-]\d\d:?\d\d)?`;
const AT = String.raw`(?:[t\s,]\s*${TIME}(?!\w))?(?!\w)`;

/** ISO 8601; RFC 822 and RFC 850, also without the time; and the form of asctime. */
const FORMS: readonly RegExp[] = [
  new RegExp(String.raw`^(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)${AT}`),
  new RegExp(String.raw`^(?:[a-z]+,?\s*)?(?<day>\d\d?)[\s-]+(?<month>[a-z]{3})[a-z]*[\s-]+(?<year>\d{4}|\d\d)${AT}`),
  new RegExp(String.raw`^(?:[a-z]{3}\s+)?(?<month>[a-z]{3})\s+(?<day>\d\d?)\s+${TIME}\s*(?<year>\d{4})(?!\w)`),
];

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The hours of the zones that RFC 822 names, by the first letter: EST, CST, MST, PST. */
const ZONES: Readonly<Record<string, number>> = { e: -5, c: -6, m: -7, p: -8 };

/**
 * The date with which a text begins: its time (ms), and where it ends. Without a zone it is UTC. Null if there is none.
 * @param text in lower case
 */
export function dateAt(text: string): { readonly at: number; readonly end: number } | null {
  for (const form of FORMS) {
    const found = form.exec(text);
    if (!found) continue;
    const { year, month, day, hours = "0", minutes = "0", seconds = "0", zone = "utc" } = found.groups!;
    const time = [hours, minutes, seconds].map(Number) as [number, number, number];
    const at = Date.UTC(yearOf(year!), monthOf(month!), Number(day), ...time) - offsetOf(zone);
    return Number.isNaN(at) ? null : { at, end: found[0].length };
  }
  return null;
}

/** A year of two digits is one of the years from 1970 to 2069. */
function yearOf(year: string): number {
  if (year.length === 4) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}

/** From 0; NaN for what is no month. */
function monthOf(month: string): number {
  const index = /^\d/.test(month) ? Number(month) - 1 : MONTHS.indexOf(month);
  return MONTHS[index] === undefined ? Number.NaN : index;
}

/** How far a zone is ahead of UTC, in ms. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign !== undefined) return Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  const [, letter, kind] = /^([ecmp])([sd])t$/.exec(zone) ?? [];
  return letter === undefined ? 0 : (ZONES[letter]! + (kind === "d" ? 1 : 0)) * HOUR;
}
