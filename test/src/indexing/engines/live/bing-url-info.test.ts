import { expect, test } from "vitest";
import { verdictOf } from "../../../../../src/indexing/engines/live/bing-url-info.ts";

const NEVER = "/Date(-62135568000000-0800)/";
const ONCE = "/Date(1786085955000)/";

const page = (more: object) => ({
  d: { DiscoveryDate: ONCE, LastCrawledDate: ONCE, DocumentSize: 23_888, HttpStatus: 0, IsPage: true, ...more },
});

test.each([
  ["a document that Bing has crawled", page({}), "indexed"],
  ["with an offset of its time", page({ LastCrawledDate: "/Date(1786604400000-0700)/", HttpStatus: 200 }), "indexed"],
  ["never crawled", page({ DiscoveryDate: NEVER, LastCrawledDate: NEVER, DocumentSize: 0 }), "not_indexed"],
  ["never, in another zone", page({ LastCrawledDate: "/Date(-62135596800000)/", DocumentSize: 0 }), "not_indexed"],
  ["gone when it was last crawled", page({ HttpStatus: 404 }), "not_indexed"],
  ["crawled, and no document is held", page({ DocumentSize: 0 }), "unknown"],
  ["redirected", page({ HttpStatus: 301 }), "unknown"],
  ["without a date of crawling", page({ LastCrawledDate: undefined }), "unknown"],
  ["a date that is none", page({ LastCrawledDate: "yesterday" }), "unknown"],
  ["no size", page({ DocumentSize: undefined }), "unknown"],
  ["nothing", { d: null }, "unknown"],
  ["something else", "d", "unknown"],
  ["null", null, "unknown"],
])("%s", (_, answer, verdict) => {
  expect(verdictOf(answer)).toBe(verdict);
});
