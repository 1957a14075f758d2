import { HOUR, MINUTE } from "../../platform/clock.ts";

const ZONE = String.raw`(?<letter>[ecmp])(?<season>[sd])t|(?<sign>[+-])(?<ahead>\d\d):?(?<aheadMinutes>\d\d)`;
const TIME = String.raw`(?<hours>\d\d?):?(?<minutes>\d\d)(?::?(?<seconds>\d\d)(?:\.\d+)?)?\s*(?:z|utc?|gmt|${ZONE})?`;
const AT = String.raw`(?:[t\s,]\s*${TIME}(?!\w))?(?!\w)`;

/** What was found of a date, by the names in its form. */
type Groups = Readonly<Record<string, string | undefined>>;

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
    const groups: Groups = found.groups!;
    const { year, month, day, hours = 0, minutes = 0, seconds = 0 } = groups;
    const time = [hours, minutes, seconds].map(Number) as [number, number, number];
    const at = Date.UTC(yearOf(year!), monthOf(month!), Number(day), ...time) - offsetOf(groups);
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
  const named = MONTHS.indexOf(month);
  const index = named < 0 ? Number(month) - 1 : named;
  return MONTHS[index] === undefined ? Number.NaN : index;
}

/** How far the zone of a date is ahead of UTC, in ms. */
function offsetOf({ letter, season, sign, ahead, aheadMinutes }: Groups): number {
  if (sign !== undefined) return Number(`${sign}1`) * (Number(ahead) * HOUR + Number(aheadMinutes) * MINUTE);
  return letter === undefined ? 0 : (ZONES[letter]! + (season === "d" ? 1 : 0)) * HOUR;
}
