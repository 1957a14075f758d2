import { expect, test } from "vitest";
import { asksForNoIndex } from "../../../../src/indexing/preflight/directives.ts";
import { cpuClock } from "../../../support/checks/cpu-time.ts";

const NOW = Date.parse("2026-01-05T12:00:00Z");

/** The rules of Google's document of the robots meta tag, and how pages write them. */
const RULES: readonly (readonly [rules: string, asks: boolean])[] = [
  ["all", false],
  ["noindex", true],
  ["nofollow", false],
  ["none", true],
  ["nosnippet", false],
  ["indexifembedded", false],
  ["noindex, indexifembedded", true],
  ["max-snippet: 0", false],
  ["max-snippet:-1, max-image-preview:large, max-video-preview:-1", false],
  ["max-image-preview: none", false],
  ["max-image-preview:none", false],
  ["max-image-preview : none", false],
  ["notranslate, noimageindex, nopagereadaloud", false],
  ["unavailable_after: 2025-09-21", true],
  ["unavailable_after: 2026-09-21", false],
  ["unavailable_after: 25 Jun 2010 15:00:00 PST", true],
  ["unavailable_after: 25-Aug-2007 15:00:00 EST", true],
  ["unavailable_after: Wednesday, 25-Jun-25 15:00:00 GMT", true],
  ["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT", false],
  ["UNAVAILABLE_AFTER: Wed, 25 Jun 2025 15:00:00 GMT", true],
  ["unavailable_after:2025-08-21T15:00:00Z", true],
  ["unavailable_after : 2025-08-21", true],
  ["unavailable_after: Mon, 05 Jan 2026 12:00:00 GMT", true],
  ["unavailable_after: Mon, 05 Jan 2026 12:00:01 GMT", false],
  ["unavailable_after: Mon, 05 Jan 2026 13:00:00 +0100", true],
  ["unavailable_after: tomorrow", false],
  ["unavailable_after: none", false],
  ["unavailable_after:", false],
  ["unavailable_after: 25 Jun 2031 15:00:00 GMT, noindex", true],
  ["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, none", true],
  ["unavailable_after: 2031-01-01, unavailable_after: 2020-01-01", true],
  ["unavailable_after: tomorrow at 15:00:00 GMT, noindex", true],
  ["max-snippet:50, unavailable_after: 2025-01-01", true],
  ["noindex, nofollow", true],
  ["NOFOLLOW , NoIndex ", true],
  ["index, noindex", true],
  ["noindex nofollow", true],
  ["noindex;nofollow", true],
  ["noindex,", true],
  ["max-image-preview:large noindex", true],
  ["noindex max-image-preview:large", true],
  ["max-snippet:, noindex", true],
  ["index, follow", false],
  ["noindexed", false],
  ["no-index", false],
  ["noindex: 1", false],
  ["noindex : 1", false],
  ["noindex, : 1", true],
  ["", false],
];

test.each(RULES)("%j: noindex is %s", (rules, asks) => {
  expect(asksForNoIndex(rules, NOW)).toBe(asks);
});

test.each([
  ["one word", "x".repeat(500_000)],
  ["spaces", " ".repeat(500_000)],
  ["colons", "a:".repeat(250_000)],
  ["spaces before a colon", `a${" ".repeat(500_000)}:`],
  ["dates", "unavailable_after: 2031-01-01 ".repeat(16_000)],
  ["no dates", "unavailable_after: ".repeat(26_000)],
  ["a date with spaces", `unavailable_after: 25 jun${" ".repeat(500_000)}`],
  ["a word for a date", `unavailable_after: ${"x".repeat(500_000)}`],
])("half a megabyte of %s is read in bounded time", (_, rules) => {
  const cpuMs = cpuClock();
  expect(asksForNoIndex(rules, NOW)).toBe(false);
  expect(cpuMs()).toBeLessThan(500);
});
