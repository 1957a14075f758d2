import { expect, test } from "vitest";
import { dateAt } from "../../../../src/indexing/preflight/rule-date.ts";

/** The forms that Google's document of the robots meta tag names: RFC 822, RFC 850 and ISO 8601. */
const DATES: readonly (readonly [text: string, date: string, rest?: string])[] = [
  ["25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"],
  ["25-Aug-2007 15:00:00 EST", "2007-08-25T20:00:00Z"],
  ["2020-09-21", "2020-09-21T00:00:00Z"],
  ["Wed, 25 Jun 2025 15:00:00 GMT", "2025-06-25T15:00:00Z"],
  ["Wed, 25 Jun 2025 15:00:00 +0200", "2025-06-25T13:00:00Z"],
  ["Wed, 25 Jun 2025 15:00:00 -0330", "2025-06-25T18:30:00Z"],
  ["Wed,25 Jun 25 15:00 EDT", "2025-06-25T19:00:00Z"],
  ["5 June 2025", "2025-06-05T00:00:00Z"],
  ["Wednesday, 25-Jun-25 15:00:00 GMT", "2025-06-25T15:00:00Z"],
  ["Sunday, 06-Nov-94 08:49:37 UT", "1994-11-06T08:49:37Z"],
  ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"],
  ["Sun Nov  6 08:49:37 PST 1994", "1994-11-06T16:49:37Z"],
  ["2025-08-21T15:00:00+02:00", "2025-08-21T13:00:00Z"],
  ["2025-08-21T15:00:00.123Z", "2025-08-21T15:00:00Z"],
  ["2025-08-21T15:00", "2025-08-21T15:00:00Z"],
  ["2025-08-21 15:00:00 UTC", "2025-08-21T15:00:00Z"],
  ["20250821T150000Z", "2025-08-21T15:00:00Z"],
  ["25 Jun 2010 15:00:00 CET", "2010-06-25T15:00:00Z", " cet"],
  ["Wed, 25 Jun 2025 15:00:00 GMT, noindex", "2025-06-25T15:00:00Z", ", noindex"],
  ["2020-09-21, noindex", "2020-09-21T00:00:00Z", ", noindex"],
  ["2020-09-21 noindex", "2020-09-21T00:00:00Z", " noindex"],
];

test.each(DATES.map(([text, date, rest = ""]) => ({ text, date, rest })))("$text is $date", ({ text, date, rest }) => {
  const found = dateAt(text.toLowerCase());
  expect(found && new Date(found.at).toISOString().replace(".000", "")).toBe(date);
  expect(text.toLowerCase().slice(found!.end)).toBe(rest);
});

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

test.each(MONTHS.map((month, index) => ({ month, index })))("$month is month $index, from 0", ({ month, index }) => {
  expect(dateAt(`5 ${month} 2025`.toLowerCase())?.at).toBe(Date.UTC(2025, index, 5));
});

test.each([
  ["EST", 5],
  ["EDT", 4],
  ["CST", 6],
  ["CDT", 5],
  ["MST", 7],
  ["MDT", 6],
  ["PST", 8],
  ["PDT", 7],
] as const)("noon of %s is %d hours later in UTC", (zone, later) => {
  expect(dateAt(`5 Jun 2025 12:00 ${zone}`.toLowerCase())?.at).toBe(Date.UTC(2025, 5, 5, 12 + later));
});

test("a year of two digits is from 1970 to 2069", () => {
  const years = ["69", "70"].map((year) => new Date(dateAt(`06-nov-${year}`)!.at).getUTCFullYear());
  expect(years).toEqual([2069, 1970]);
});

test.each([
  "",
  "tomorrow",
  "noindex",
  "Wed",
  "25 Foo 2010 15:00:00 PST",
  "25 Jun",
  "Jun 25",
  "1262304000",
  "15:00:00",
  "31/12/2020",
  "2020-13",
  "2020-13-01",
  "2020",
])("%j is no date", (text) => {
  expect(dateAt(text.toLowerCase())).toBeNull();
});
