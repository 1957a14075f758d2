import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalsByHeader, isNoIndexByHeader } from "../../../../src/indexing/preflight/headers.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const NOW = Date.parse("2026-01-05T12:00:00Z");

/** The lines of X-Robots-Tag; the first ones are the examples of Google's document. */
const LINES: readonly (readonly [lines: readonly string[], asks: boolean])[] = [
  [["noindex"], true],
  [["noimageindex", "unavailable_after: 25 Jun 2010 15:00:00 PST"], true],
  [["noimageindex, unavailable_after: 25 Jun 2010 15:00:00 PST"], true],
  [["googlebot: nofollow", "otherbot: noindex, nofollow"], false],
  [["max-snippet: 20, max-image-preview:large"], false],
  [["none"], true],
  [["NOINDEX, NOFOLLOW"], true],
  [["index, follow"], false],
  [["googlebot: noindex"], true],
  [["GoogleBot : NoIndex"], true],
  [["*: noindex"], true],
  [["googlebot: none"], true],
  [["googlebot-news: noindex"], false],
  [["googlebot-image: noindex", "bingbot: noindex"], false],
  [["otherbot: noindex, nofollow"], false],
  [["otherbot/2.1: noindex"], false],
  // Each line by itself.
  [["otherbot: nofollow", "noindex"], true],
  [["noindex", "otherbot: nofollow"], true],
  [["otherbot: nofollow", "googlebot: noindex"], true],
  [["googlebot: index", "noindex"], true],
  [["noindex", "googlebot: index"], true],
  [["otherbot: noindex", "nofollow"], false],
  [["otherbot:", "noindex"], true],
  // Several user agents in a line.
  [["otherbot: nofollow, noindex"], false],
  [["otherbot: nofollow, googlebot: noindex"], true],
  [["googlebot: nofollow, otherbot: noindex"], false],
  [["noindex, otherbot: nofollow"], true],
  [["nofollow, otherbot: noindex, googlebot: none"], true],
  [["nofollow, otherbot: nofollow, noindex"], false],
  [["otherbot: nofollow, noindex, googlebot: nofollow"], false],
  // Rules with values are no user agents.
  [["max-snippet: 20, noindex"], true],
  [["max-image-preview: none"], false],
  [["max-something-new: 1, noindex"], true],
  [["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT"], false],
  [["unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT"], true],
  [["unavailable_after: Wednesday, 25-Jun-25 15:00:00 GMT"], true],
  [["unavailable_after: 2025-08-21T15:00:00Z"], true],
  [["unavailable_after: 25 Jun 2031 15:00:00 GMT, noindex"], true],
  [["googlebot: unavailable_after: 25 Jun 2025 15:00:00 GMT"], true],
  [["otherbot: unavailable_after: 25 Jun 2025 15:00:00 GMT"], false],
  [["otherbot: unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT, googlebot: noindex"], true],
  [["otherbot: max-snippet: 0, noindex"], false],
  [["climax-bot: nofollow, noindex"], false],
  [["unavailable_afterbot: nofollow, noindex"], false],
  [[""], false],
  [[], false],
];

test.each(LINES)("%j: noindex is %s", (lines, asks) => {
  expect(isNoIndexByHeader(lines, NOW)).toBe(asks);
});

test("law: a line means the same wherever it stands, and however its letters are written", () => {
  const line = fc.constantFrom(...LINES.flatMap(([lines]) => lines));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), fc.boolean(), (lines, isUpper) => {
      const spelt = isUpper ? lines.map((text) => text.toUpperCase()) : lines;
      const alone = spelt.some((text) => isNoIndexByHeader([text], NOW));
      expect(isNoIndexByHeader(spelt, NOW)).toBe(alone);
      expect(isNoIndexByHeader(spelt.toReversed(), NOW)).toBe(alone);
    }),
    { numRuns: fuzzRuns(1_000), seed: 1 },
  );
});

test.each([
  ['</x>; rel="canonical"', ["/x"]],
  ["</a,b>; rel=next, </x>; rel=canonical", ["/x"]],
  ['</x>; rel="next Canonical"', ["/x"]],
  ["</a>; rel=next,</x>; rel = canonical", ["/x"]],
  ["</x>; rel=preload", []],
  ["</x>;rel=canonical", ["/x"]],
  ["</x>", []],
  [">/x<; rel=canonical", []],
  ["</1>; rel=canonical, ".repeat(6), ["/1", "/1", "/1", "/1", "/1"]],
  ["x; rel=canonical", []],
  [undefined, []],
])("Link %j: the canonicals are %j", (header, canonicals) => {
  expect(canonicalsByHeader(header)).toEqual(canonicals);
});
