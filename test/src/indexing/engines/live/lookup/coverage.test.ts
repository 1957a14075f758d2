import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verdictOf } from "../../../../../../src/indexing/engines/live/lookup/coverage.ts";
import { fuzzRuns } from "../../../../../support/checks/fuzz-runs.ts";

const URL = "https://example.com/a";
const COUNTS = { queries: 1 };
const UNKNOWN = { result: "unknown", reason: "coverage_not_understood", counts: COUNTS };
const INDEXED = { result: "indexed", authoritative: true, reason: "indexed", counts: COUNTS };
const notIndexed = (reason: string) => ({ result: "not_indexed", authoritative: true, reason, counts: COUNTS });

const INDEXED_STATES = [
  "Submitted and indexed",
  "Indexed, not submitted in sitemap",
  "Indexed, though blocked by robots.txt",
  "Page indexed without content",
  "Indexed without content",
  "Indexed; consider marking as canonical",
];

test.each(INDEXED_STATES)("indexed: %s, whatever the verdict", (coverageState) => {
  for (const verdict of ["PASS", "NEUTRAL", "PARTIAL", "FAIL", "VERDICT_UNSPECIFIED", undefined])
    expect(verdictOf(URL, { verdict, coverageState }), verdict).toEqual(INDEXED);
});

test.each<[string, unknown]>([
  ["a sentence that Google has yet to think of", "Indexed in a new way"],
  ["no sentence", undefined],
])("indexed: PASS with %s", (_, coverageState) => {
  expect(verdictOf(URL, { verdict: "PASS", coverageState })).toEqual(INDEXED);
});

test.each(["PASS", "NEUTRAL", "PARTIAL"])("indexed: %s, though all fields say that robots.txt blocks it", (verdict) => {
  const blocked = { robotsTxtState: "DISALLOWED", pageFetchState: "BLOCKED_ROBOTS_TXT" };
  const coverageState = "Indexed, though blocked by robots.txt";
  const status = { verdict, coverageState, ...blocked, indexingState: "BLOCKED_BY_ROBOTS_TXT" };
  expect(verdictOf(URL, status)).toEqual(INDEXED);
});

/** The reasons of the Page indexing report (support.google.com/webmasters/answer/7440203), today's first. */
const STATES: readonly (readonly [state: string, reason: string])[] = [
  ["Server error (5xx)", "http_5xx"],
  ["Redirect error", "redirect_error"],
  ["Blocked by robots.txt", "robots_disallowed"],
  ["URL blocked by robots.txt", "robots_disallowed"],
  ["Excluded by ‘noindex’ tag", "noindex"],
  ["URL marked ‘noindex’", "noindex"],
  ["Soft 404", "soft_404"],
  ["Blocked due to unauthorized request (401)", "http_401"],
  ["Not found (404)", "http_404"],
  ["Blocked due to access forbidden (403)", "http_403"],
  ["Blocked due to other 4xx issue", "http_4xx"],
  ["URL blocked due to other 4xx issue", "http_4xx"],
  ["Blocked by page removal tool", "removed"],
  ["Crawled - currently not indexed", "crawled_not_indexed"],
  ["Discovered - currently not indexed", "discovered_not_indexed"],
  ["Alternate page with proper canonical tag", "alternate_canonical"],
  ["Duplicate without user-selected canonical", "duplicate"],
  ["Duplicate, Google chose different canonical than user", "duplicate"],
  ["Page with redirect", "redirect"],
  ["URL is unknown to Google", "unknown_to_google"],
  // Until 2021.
  ["Duplicate, submitted URL not selected as canonical", "duplicate"],
  ["Submitted URL not selected as canonical", "duplicate"],
  ["Submitted URL blocked by robots.txt", "robots_disallowed"],
  ["Submitted URL marked ‘noindex’", "noindex"],
  ["Submitted URL seems to be a Soft 404", "soft_404"],
  ["Submitted URL returns unauthorized request (401)", "http_401"],
  ["Submitted URL returned 403", "http_403"],
  ["Submitted URL not found (404)", "http_404"],
  ["Submitted URL blocked due to other 4xx issue", "http_4xx"],
  ["Submitted URL has crawl issue", "crawl_error"],
  ["Crawl anomaly", "crawl_error"],
];

describe.each(STATES)("%s", (coverageState, reason) => {
  test.each(["NEUTRAL", "FAIL"])("not_indexed: %s", (verdict) => {
    expect(verdictOf(URL, { verdict, coverageState })).toEqual(notIndexed(reason));
  });

  test.each(["PASS", "PARTIAL", "VERDICT_UNSPECIFIED", "fail", "", undefined, 1])("unknown: %s", (verdict) => {
    expect(verdictOf(URL, { verdict, coverageState })).toEqual(UNKNOWN);
  });
});

test("letter case, spaces, quotes, dashes, punctuation and invisible marks make no difference", () => {
  const spelling = fc.tuple(
    fc.constantFrom(...STATES),
    fc.constantFrom("'", "’", '"', "`", "“", ""),
    fc.constantFrom("-", "–", "—", "‐", "‒", ":"),
    fc.constantFrom(" ", "\u00a0", "  ", "\n", "\u200e "),
    fc.constantFrom("", ".", " ", "\u200f", "!"),
    fc.func(fc.boolean()),
  );
  fc.assert(
    fc.property(spelling, ([[state, reason], quote, dash, space, end, isUpper]) => {
      const text = [...state]
        .map((character, index) => (isUpper(index) ? character.toUpperCase() : character.toLowerCase()))
        .join("")
        .replace(/[‘’]/g, quote)
        .replace(/ - /g, ` ${dash} `)
        .replace(/ /g, space);
      expect(verdictOf(URL, { verdict: "NEUTRAL", coverageState: text + end })).toEqual(notIndexed(reason));
    }),
    { numRuns: fuzzRuns(1_000), seed: 1 },
  );
});

/** The documented values of the fields of an answer, and our reason for each. */
const FIELDS: readonly (readonly [field: string, value: string, reason: string | null])[] = [
  ["pageFetchState", "PAGE_FETCH_STATE_UNSPECIFIED", null],
  ["pageFetchState", "SUCCESSFUL", null],
  ["pageFetchState", "SOFT_404", "soft_404"],
  ["pageFetchState", "BLOCKED_ROBOTS_TXT", "robots_disallowed"],
  ["pageFetchState", "NOT_FOUND", "http_404"],
  ["pageFetchState", "ACCESS_DENIED", "http_401"],
  ["pageFetchState", "SERVER_ERROR", "http_5xx"],
  ["pageFetchState", "REDIRECT_ERROR", "redirect_error"],
  ["pageFetchState", "ACCESS_FORBIDDEN", "http_403"],
  ["pageFetchState", "BLOCKED_4XX", "http_4xx"],
  ["pageFetchState", "INTERNAL_CRAWL_ERROR", "crawl_error"],
  ["pageFetchState", "INVALID_URL", "crawl_error"],
  ["indexingState", "INDEXING_STATE_UNSPECIFIED", null],
  ["indexingState", "INDEXING_ALLOWED", null],
  ["indexingState", "BLOCKED_BY_META_TAG", "noindex"],
  ["indexingState", "BLOCKED_BY_HTTP_HEADER", "noindex"],
  ["indexingState", "BLOCKED_BY_ROBOTS_TXT", "robots_disallowed"],
  ["robotsTxtState", "ROBOTS_TXT_STATE_UNSPECIFIED", null],
  ["robotsTxtState", "ALLOWED", null],
  ["robotsTxtState", "DISALLOWED", "robots_disallowed"],
];

describe.each(FIELDS)("%s: %s", (field, value, reason) => {
  const stateless = reason === null ? UNKNOWN : notIndexed(reason);

  test.each([undefined, "", "Nicht gefunden", "A sentence that Google has yet to think of"])(
    "decides where the sentence is not known: %j",
    (coverageState) => {
      for (const verdict of ["NEUTRAL", "FAIL"])
        expect(verdictOf(URL, { verdict, coverageState, [field]: value })).toEqual(stateless);
      expect(verdictOf(URL, { verdict: "PASS", coverageState, [field]: value })).toEqual(INDEXED);
      expect(verdictOf(URL, { verdict: "VERDICT_UNSPECIFIED", coverageState, [field]: value })).toEqual(UNKNOWN);
    },
  );

  test("is the reason before the sentence", () => {
    const status = { verdict: "NEUTRAL", coverageState: "Crawled - currently not indexed", [field]: value };
    expect(verdictOf(URL, status)).toEqual(notIndexed(reason ?? "crawled_not_indexed"));
  });
});

test.each<[unknown, unknown]>([
  ["NEUTRAL", "Excluded by a rule of tomorrow"],
  ["FAIL", "Gecrawlt – zurzeit nicht indexiert"],
  ["FAIL", "Not Submitted and indexed"],
  ["NEUTRAL", "A duplicate of something"],
  ["NEUTRAL", ""],
  ["FAIL", undefined],
  ["FAIL", { text: "Soft 404" }],
  ["FAIL", ["Soft 404"]],
  [undefined, undefined],
  [true, "Soft 404"],
  ["FAIL", "constructor"],
])("unknown: %j, %j", (verdict, coverageState) => {
  expect(verdictOf(URL, { verdict, coverageState })).toEqual(UNKNOWN);
});

test.each([7, {}, ["NOT_FOUND"], "constructor", "not_found", null])("unknown: a fetch state that is %j", (value) => {
  expect(verdictOf(URL, { verdict: "FAIL", pageFetchState: value, indexingState: value })).toEqual(UNKNOWN);
});

test.each<[string, unknown, Record<string, number>]>([
  ["the same", "https://example.com/a", COUNTS],
  ["another spelling of the same page", "https://www.example.com/a/", COUNTS],
  ["another page", "https://example.com/b", { queries: 1, other_canonical: 1 }],
  ["another host", "https://other.example/a", { queries: 1, other_canonical: 1 }],
  ["none", undefined, COUNTS],
  ["no text", 7, COUNTS],
])("an observation counts the canonical that Google chose, and never names it: %s", (_, googleCanonical, counts) => {
  const coverageState = "Duplicate, Google chose different canonical than user";
  const seen = verdictOf(URL, { verdict: "NEUTRAL", coverageState, googleCanonical });
  expect(seen).toEqual({ ...notIndexed("duplicate"), counts });
});
