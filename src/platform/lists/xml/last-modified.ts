/**
 * When a page was last modified, in seconds since 1970, read from the text of a sitemap or feed: a W3C date that
 * names at least a day (sitemaps.org: lastmod; RFC 4287: updated), or an RFC 822 date (RSS: pubDate). Without a zone
 * it is UTC. Anything else is null, and so is a day that does not exist.
 */
export function lastModifiedOf(written: string): number | null {
  const text = written.trim();
  if (text === latest.text) return latest.seconds;
  latest = { text, seconds: w3cDate(text) ?? rfc822Date(text) };
  return latest.seconds;
}

/** The latest result, because most sitemaps repeat the same date page after page. */
let latest: { text: string; seconds: number | null } = { text: "", seconds: null };

const W3C =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|([+-])(\d\d):?(\d\d))?)?)?$/i;

function w3cDate(text: string): number | null {
  const match = W3C.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part, at) => Number(part ?? FIRST[at])) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0)) * (match[7] === "-" ? -1 : 1);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 24 || minute > 59 || second > 60 || Math.abs(offset) > 14 * 60) return null;
  return sensible(Date.UTC(year, month - 1, day, hour, minute - offset, second) / 1_000);
}

/** The values of parts that are left out. */
const FIRST = [0, 1, 1, 0, 0, 0];

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const RFC822 = /^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:[a-z]{1,4}|[+-]\d{4})$/i;

function rfc822Date(text: string): number | null {
  return RFC822.test(text) ? sensible(Math.floor(Date.parse(text) / 1_000)) : null;
}

/** Null for a date from before the web, or one that does not fit into 32 bits: neither was meant. */
function sensible(seconds: number): number | null {
  return seconds >= EARLIEST && seconds < 2 ** 32 ? seconds : null;
}

const EARLIEST = Date.UTC(1990) / 1_000;
