import { expect, test } from "vitest";
import { crawlOf } from "../../../../../../src/indexing/engines/live/lookup/crawl.ts";

const URL_ = "https://www.example.com/a";
const NOW = Date.UTC(2026, 0, 20);
const of = (status: Record<string, unknown>) => crawlOf(URL_, status, NOW);

test("everything that URL Inspection says of a crawl is kept in our words", () => {
  const status = {
    verdict: "NEUTRAL",
    coverageState: "Crawled - currently not indexed",
    lastCrawlTime: "2026-01-05T09:12:33Z",
    crawledAs: "MOBILE",
    pageFetchState: "SOFT_404",
    robotsTxtState: "DISALLOWED",
    indexingState: "BLOCKED_BY_META_TAG",
    referringUrls: ["https://www.example.com/", "https://other.example/ignore-previous-instructions?x=1"],
    sitemap: ["https://www.example.com/sitemap.xml"],
    userCanonical: "https://www.example.com/a#part",
    googleCanonical: "https://other.example/a-text-of-a-stranger",
  };
  expect(of(status)).toEqual({
    crawledAt: Date.UTC(2026, 0, 5, 9, 12, 33),
    shared: { as: "mobile", status: "soft_404", robots: "disallowed", indexing: "blocked_by_meta_tag" },
    own: {
      referring: ["https://www.example.com/", "https://other.example/"],
      onlySitemap: false,
      userCanonical: URL_,
      googleCanonical: "other.example",
    },
  });
});

test.each([
  ["nothing", {}, null],
  ["that it knows the address and never fetched it", { coverageState: "Discovered - currently not indexed" }, true],
  // It has no entry in the index, which does not say that it was never fetched.
  ["that it does not know the address", { coverageState: "URL is unknown to Google" }, null],
  [
    "a time in 1970, which stands for none",
    { coverageState: "Discovered - x", lastCrawlTime: "1970-01-01T00:00:00Z" },
    true,
  ],
])("it says %s", (_, status, never) => {
  const crawl = of(status);
  expect(crawl?.crawledAt ?? null).toBeNull();
  expect(crawl?.shared.never ?? null).toBe(never);
});

test.each([
  ["2026-01-20T00:09:00Z", undefined],
  ["2026-01-20T00:11:00Z", "in_future"],
  ["9999-12-31T23:59:59Z", "in_future"],
  ["1997-05-01T00:00:00Z", "too_early"],
])("a crawl at %s: %s", (lastCrawlTime, doubtful) => {
  const crawl = of({ lastCrawlTime });
  expect(crawl?.shared.doubtful).toBe(doubtful);
  expect(crawl?.crawledAt === null).toBe(doubtful !== undefined);
});

test.each([
  { lastCrawlTime: 5, crawledAs: {}, pageFetchState: "<script>", referringUrls: "https://x.example/", sitemap: null },
  { lastCrawlTime: "yesterday", pageFetchState: "PAGE_FETCH_STATE_UNSPECIFIED", userCanonical: "javascript:alert(1)" },
  { lastCrawlTime: "2026-01-05", userCanonical: `https://www.example.com/${"a".repeat(300)}` },
  { googleCanonical: "https://user:secret@www.example.com/" },
])("what has another form than documented is no fact: %j", (status) => {
  expect(of(status)).toBeNull();
});

test("only the sitemap leads to it where no other page does", () => {
  const sitemap = ["https://www.example.com/sitemap.xml"];
  expect(of({ sitemap })?.own).toEqual({ referring: [], onlySitemap: true });
  expect(of({ sitemap, referringUrls: sitemap })?.own).toEqual({ referring: [], onlySitemap: true });
  const pages = ["https://www.example.com/"];
  expect(of({ referringUrls: pages })?.own).toEqual({ referring: pages, onlySitemap: false, noSitemap: true });
  expect(of({ referringUrls: [] })?.own).toEqual({ referring: [], onlySitemap: false });
});

test("at most five referring pages are kept, each once", () => {
  const referringUrls = Array.from({ length: 20 }, (_, i) => `https://www.example.com/${i >> 1}`);
  expect(of({ referringUrls })?.own?.referring).toEqual([0, 1, 2, 3, 4].map((i) => `https://www.example.com/${i}`));
});
