import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { searchConsole } from "../../../../../../src/indexing/engines/live/submit/search-console.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import {
  addOwnedSite,
  callOf,
  failureIn,
  linesOf,
  PAGES,
  SITE,
  targetOf,
} from "../../../../../support/indexing/channel-call.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { googleError } from "../../../../../support/upstreams/google-error.ts";

const NAME = "search_console";
const SITEMAP = "https://www.example.com/sitemap.xml";

const providers = eachTest(startFakeProviders);
let channel: Channel;

beforeEach(async () => {
  addOwnedSite(providers.world);
  channel = searchConsole(providers.api);
});

const send = () => channel.send(callOf({ sitemapUrl: SITEMAP }));

test("204: one PUT submits all URLs; the call as it is sent", async () => {
  // Google would fetch it from the site; here it stands with the fakes.
  const sitemapUrl = `${providers.fakes.origin}/sitemap.xml`;
  const accepted = { kind: "accepted", detail: "sitemap_submitted" };
  expect(await channel.send(callOf({ sitemapUrl }))).toEqual([accepted, accepted]);
  const feed = encodeURIComponent(sitemapUrl);
  const line = `PUT /webmasters/v3/sites/https%3A%2F%2Fwww.example.com%2F/sitemaps/${feed}`;
  expect(linesOf(providers.fakes, NAME)).toEqual([line]);
  const [call] = providers.fakes.callsTo(NAME);
  expect([call!.body, call!.headers.authorization]).toEqual(["", expect.stringMatching(/^Bearer ya29\./)]);
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
});

test("a domain property is named as Search Console names it", async () => {
  providers.world.properties.set("sc-domain:example.com", "siteFullUser");
  const site = { ...SITE, connections: { search_console: "sc-domain:example.com" } };
  await channel.send(callOf({ site, sitemapUrl: SITEMAP }));
  expect(linesOf(providers.fakes, NAME)[0]).toContain("/sites/sc-domain%3Aexample.com/sitemaps/https%3A%2F%2Fwww");
});

test.each([
  ["another host's sitemap", { sitemapUrl: "https://example.com/sitemap.xml" }, "no_sitemap"],
  ["no sitemap", {}, "no_sitemap"],
  ["a sitemap of the other scheme", { sitemapUrl: "http://www.example.com/sitemap.xml" }, "no_sitemap"],
  ["a page providers the property", { url: "http://www.example.com/a", sitemapUrl: SITEMAP }, "host_not_connected"],
  ["a site that is not connected", { site: { ...SITE, connections: {} } }, "host_not_connected"],
  ["nobody's site", { site: null }, "host_not_verified"],
  ["a page of a sitemap of its own host", { sitemapUrl: SITEMAP }, null],
])("which sites are refused or accepted: %s", async (_, more, expected) => {
  expect(await channel.refuses(targetOf(more))).toBe(expected);
});

/** Properties with a path, which contain the pages below it and no others. */
const PATHS = {
  ...SITE,
  connections: { search_console: "https://www.example.com/blog/ https://www.example.com/shop/" },
};

test.each([
  ["https://www.example.com/shop/a", "https://www.example.com/shop/sitemap.xml", null],
  ["https://www.example.com/blog/a", "https://www.example.com/shop/sitemap.xml", "no_sitemap"],
  ["https://www.example.com/shop/a", SITEMAP, "no_sitemap"],
  ["https://www.example.com/a", "https://www.example.com/shop/sitemap.xml", "host_not_connected"],
])("%s of %s is %j where the properties have a path", async (url, sitemapUrl, expected) => {
  providers.world.properties.set("https://www.example.com/shop/", "siteOwner");
  expect(await channel.refuses(targetOf({ url, sitemapUrl, site: PATHS }))).toBe(expected);
});

test("a sitemap is submitted to the property that contains it", async () => {
  providers.world.properties.set("https://www.example.com/shop/", "siteOwner");
  const sitemapUrl = "https://www.example.com/shop/sitemap.xml";
  await channel.send(callOf({ urls: ["https://www.example.com/shop/a"], sitemapUrl, site: PATHS }));
  expect(linesOf(providers.fakes, NAME)[0]).toContain("/sites/https%3A%2F%2Fwww.example.com%2Fshop%2F/sitemaps/");
});

test.each(["siteRestrictedUser", "siteUnverifiedUser", null])(
  "host_not_connected: the owner has withdrawn the permission (%s)",
  async (permission) => {
    if (permission === null) providers.world.properties.clear();
    else providers.world.properties.set("https://www.example.com/", permission);
    expect(await channel.refuses(targetOf({ sitemapUrl: SITEMAP }))).toBe("host_not_connected");
  },
);

test("while Google does not tell the permissions, the call is tried", async () => {
  providers.world.answer(NAME, { status: 503 }, 1);
  expect(await channel.refuses(targetOf({ sitemapUrl: SITEMAP }))).toBeNull();
});

test.each([
  ["403", googleError(403, "PERMISSION_DENIED", "User does not have sufficient permission"), "unauthorized"],
  ["404", googleError(404, "NOT_FOUND", "not found"), "refused"],
  ["400", googleError(400, "INVALID_ARGUMENT", "x"), "refused"],
  ["200 with a page of HTML", { status: 200, body: "<html></html>" }, "bad_answer"],
  ["200 with an error in it", { ...googleError(403, "PERMISSION_DENIED", "x"), status: 200 }, "unauthorized"],
  ["200 with an error without a code", { status: 200, body: { error: "x" } }, "refused"],
])("%s is a failure", async (_, answer, kind) => {
  providers.world.answer(NAME, answer);
  expect((await failureIn(send())).kind).toBe(kind);
});

test("429: rate_limited for a minute, or for as long as Google says; the limit of a day until midnight in California", async () => {
  const now = providers.clock.service();
  const short = googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded");
  providers.world.answer(NAME, short, 1);
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited", until: now + MINUTE });
  providers.world.answer(NAME, { ...short, headers: { "Retry-After": "5" } }, 1);
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited", until: now + 5_000 });
  const legacy = { status: 403, body: { error: { code: 403, errors: [{ reason: "rateLimitExceeded" }] } } };
  providers.world.answer(NAME, legacy, 1);
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited" });
  providers.world.answer(NAME, googleError(429, "RESOURCE_EXHAUSTED", "limit 'Requests per day'"), 1);
  expect(await failureIn(send())).toMatchObject({ kind: "quota", until: Date.parse("2026-01-06T08:00:00Z") });
});

test("a lost answer: the sitemap is submitted again, which does no harm", async () => {
  expect(await channel.lookUp!(callOf({ sitemapUrl: SITEMAP }))).toBe(false);
});
