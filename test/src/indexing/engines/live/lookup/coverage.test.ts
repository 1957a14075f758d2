import { describe, expect, test } from "vitest";
import { verdictOf } from "../../../../../../src/indexing/engines/live/lookup/coverage.ts";

const URL = "https://example.com/a";
const COUNTS = { queries: 1 };

test.each([
  ["PASS", "Submitted and indexed"],
  ["PASS", "Indexed, not submitted in sitemap"],
  ["PASS", "Indexed in a way that Google has yet to think of"],
  ["PASS", undefined],
  ["NEUTRAL", "Submitted and indexed"],
  ["VERDICT_UNSPECIFIED", "Indexed, not submitted in sitemap"],
  [undefined, "Submitted and indexed"],
])("indexed: %s, %s", (verdict, coverageState) => {
  const seen = verdictOf(URL, { verdict, coverageState });
  expect(seen).toEqual({ result: "indexed", authoritative: true, reason: "indexed", counts: COUNTS });
});

const STATES: readonly (readonly [state: string, reason: string])[] = [
  ["Crawled - currently not indexed", "crawled_not_indexed"],
  ["Crawled – currently not indexed", "crawled_not_indexed"],
  ["Discovered - currently not indexed", "discovered_not_indexed"],
  ["URL is unknown to Google", "unknown_to_google"],
  ["Excluded by 'noindex' tag", "noindex"],
  ["Excluded by ‘noindex’ tag", "noindex"],
  ['Excluded by "noindex" tag', "noindex"],
  ["Not found (404)", "http_404"],
  ["Soft 404", "soft_404"],
  ["Blocked by robots.txt", "robots_disallowed"],
  ["Page with redirect", "redirect"],
  ["Server error (5xx)", "server_error"],
  ["Duplicate without user-selected canonical", "duplicate"],
  ["Duplicate, Google chose different canonical than user", "duplicate"],
  ["Duplicate, submitted URL not selected as canonical", "duplicate"],
  ["Alternate page with proper canonical tag", "alternate_canonical"],
];

describe.each(STATES)("%s", (coverageState, reason) => {
  test.each(["NEUTRAL", "FAIL"])("not_indexed: %s", (verdict) => {
    const seen = verdictOf(URL, { verdict, coverageState });
    expect(seen).toEqual({ result: "not_indexed", authoritative: true, reason, counts: COUNTS });
  });

  test.each(["PASS", "PARTIAL", "VERDICT_UNSPECIFIED", "fail", "", undefined, 1])("unknown: %s", (verdict) => {
    const seen = verdictOf(URL, { verdict, coverageState });
    expect(seen).toEqual({ result: "unknown", reason: "coverage_not_understood", counts: COUNTS });
  });
});

test.each<[unknown, unknown]>([
  ["NEUTRAL", "Excluded by a rule of tomorrow"],
  ["FAIL", "Redirect error"],
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
  const seen = verdictOf(URL, { verdict, coverageState });
  expect(seen).toEqual({ result: "unknown", reason: "coverage_not_understood", counts: COUNTS });
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
  expect(seen).toEqual({ result: "not_indexed", authoritative: true, reason: "duplicate", counts });
});
