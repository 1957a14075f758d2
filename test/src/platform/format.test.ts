import { expect, test } from "vitest";
import {
  formatBytes,
  formatCount,
  formatDollars,
  formatNumber,
  formatPercent,
  formatSeconds,
} from "../../../src/platform/format.ts";
import { sourcesIn } from "../../support/checks/imports.ts";

test("numbers have separators, and nouns their plural", () => {
  expect(formatNumber(1_234_567)).toBe("1,234,567");
  expect([0, 1, 2].map((count) => formatCount(count, "URL"))).toEqual(["0 URLs", "1 URL", "2 URLs"]);
});

test("money has two decimals, percentages and seconds at most one", () => {
  expect([999, 15, 0, 123_456].map(formatDollars)).toEqual(["$9.99", "$0.15", "$0.00", "$1,234.56"]);
  expect([formatPercent(1, 3), formatPercent(1, 2), formatPercent(0, 7)]).toEqual(["33.3%", "50%", "0%"]);
  expect([formatSeconds(1_549), formatSeconds(0)]).toEqual(["1.5 s", "0.0 s"]);
});

test("sizes are in thousands of bytes, and never 0 KB for something", () => {
  expect([1, 999_999, 1_000_000, 1_249_999].map(formatBytes)).toEqual(["1 KB", "1,000 KB", "1.0 MB", "1.2 MB"]);
});

/** Files that may format by themselves, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/platform/format.ts": "is where numbers and money are formatted",
  "src/surfaces/mcp/views/page.ts": "runs in the client, which has none of our modules",
  "src/surfaces/mcp/views/result-page.ts": "runs in the client, which has none of our modules",
  "src/indexing/providers/calendar.ts": "calculates the days of time zones, and shows nobody a date",
};

const FORMATS = /\.toLocale\w*String\(|\bIntl\.|\.toFixed\(/;

test("law: numbers and money are formatted by src/platform/format.ts alone", () => {
  const found = sourcesIn("src", "tools", "rest", "a2a", "db").filter(({ text }) => FORMATS.test(text));
  expect(
    found.map(({ path }) => path).sort(),
    "a file that formats numbers by itself: use a function of src/platform/format.ts, or add one there",
  ).toEqual(Object.keys(EXCEPTIONS).sort());
});
