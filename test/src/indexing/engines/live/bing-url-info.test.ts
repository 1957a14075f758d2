import { expect, test } from "vitest";
import { bingUrlInfo, crawlOf, verdictOf } from "../../../../../src/indexing/engines/live/bing-url-info.ts";
import { twoSites } from "../../../../support/indexing/channel-call.ts";
import { testLookupAnswers } from "../../../../support/indexing/documented-lookups.ts";
import { bingError } from "../../../../support/upstreams/bing-webmaster.ts";
import { secretOf } from "../../../../support/upstreams/settings.ts";

testLookupAnswers(
  { provider: "bing_webmaster", name: "bing_url_info", midnight: "2026-01-06T00:00:00Z" },
  [
    ["1 InternalError", bingError(1, "InternalError"), "server_error", "provider", "no time"],
    ["3 InvalidApiKey", bingError(3, "InvalidApiKey"), "unauthorized", "credential", "an hour"],
    ["4 ThrottleUser", bingError(4, "ThrottleUser"), "rate_limited", "credential", "a minute"],
    ["5 ThrottleHost", bingError(5, "ThrottleHost"), "rate_limited", "site", "a minute"],
    ["6 UserBlocked", bingError(6, "UserBlocked"), "unauthorized", "credential", "an hour"],
    ["7 InvalidUrl", bingError(7, "InvalidUrl"), "invalid_url", "url", "never"],
    ["8 InvalidParameter", bingError(8, "InvalidParameter"), "invalid_url", "url", "never"],
    ["11 NotFound", bingError(11, "NotFound"), "host_not_connected", "site", "never"],
    ["13 NotAllowed", bingError(13, "NotAllowed"), "host_not_connected", "site", "never"],
    ["14 NotAuthorized, with 200", bingError(14, "NotAuthorized", 200), "host_not_connected", "site", "never"],
    ["15 UnexpectedState", bingError(15, "UnexpectedState"), "server_error", "provider", "no time"],
    ["16 Deprecated", bingError(16, "Deprecated"), "refused", "provider", "no time"],
    ["HTTP 503", { status: 503 }, "server_error", "provider", "no time"],
  ],
  ({ api, world }, book) => {
    const sites = twoSites((host) => ({ bing_webmaster: `http://${host}/` }));
    for (const { host } of sites) world.bingSites.add(`http://${host}/`);
    const lookup = bingUrlInfo(api, secretOf("bing_webmaster"), book);
    const siteOf = (url: string) => sites.find(({ host }) => new URL(url).host === host) ?? null;
    return async (urls) => (await lookup.check({ urls, asOf: 0, sites: siteOf })).map(({ reason }) => reason ?? null);
  },
);

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

const NOW = Date.UTC(2026, 10, 1);
const dated = (time: string) => `/Date(${Date.parse(time)})/`;

test.each([
  ["after it was discovered", { DiscoveryDate: dated("2026-10-01"), LastCrawledDate: dated("2026-10-02") }, undefined],
  ["at the moment of it", { DiscoveryDate: dated("2026-10-01"), LastCrawledDate: dated("2026-10-01") }, undefined],
  ["before it", { DiscoveryDate: dated("2026-10-02"), LastCrawledDate: dated("2026-10-01") }, "before_discovery"],
  ["within the skew of clocks", { LastCrawledDate: dated("2026-11-01T00:09:00Z") }, undefined],
  ["in the future", { LastCrawledDate: dated("2026-11-01T00:11:00Z") }, "in_future"],
  ["in another century", { DiscoveryDate: NEVER, LastCrawledDate: dated("1970-01-02") }, "too_early"],
  ["in a time that no clock has", { LastCrawledDate: "/Date(999999999999999)/" }, "in_future"],
])("a crawl %s", (_, more, doubtful) => {
  const { crawledAt, shared } = crawlOf(page({ DiscoveryDate: NEVER, ...more }), NOW)!;
  expect([crawledAt === null, shared.doubtful]).toEqual([doubtful !== undefined, doubtful]);
});

test("a page that Bing never crawled, or discovered in the future, has no time of it", () => {
  expect(crawlOf(page({ LastCrawledDate: NEVER }), NOW)).toMatchObject({ crawledAt: null, shared: { never: true } });
  const early = page({ DiscoveryDate: dated("2027-01-01"), LastCrawledDate: dated("2026-10-01") });
  expect(crawlOf(early, NOW)).toMatchObject({ crawledAt: Date.UTC(2026, 9, 1), own: null });
  for (const answer of [null, {}, { d: null }, { d: { LastCrawledDate: 5 } }]) expect(crawlOf(answer, NOW)).toBeNull();
});
