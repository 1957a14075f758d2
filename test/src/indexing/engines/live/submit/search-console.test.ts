import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { searchConsole } from "../../../../../../src/indexing/engines/live/submit/search-console.ts";
import {
  addOwnedSite,
  callOf,
  failureIn,
  linesOf,
  PAGES,
  SITE,
  targetOf,
  twoSites,
} from "../../../../../support/indexing/channel-call.ts";
import { testAnswers } from "../../../../../support/indexing/documented-answers.ts";
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
  expect(await channel.send(callOf({ sitemapUrl }))).toBe("sitemap_submitted");
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

const denied = (message: string, reason?: string) =>
  googleError(403, "PERMISSION_DENIED", message, reason === undefined ? [] : [{ reason }]);
const exhausted = (message: string) => googleError(429, "RESOURCE_EXHAUSTED", message);
const older = (status: number, reason: string) => ({ status, body: { error: { code: status, errors: [{ reason }] } } });
const PERMISSION = "User does not have sufficient permission for site.";

/** https://developers.google.com/webmaster-tools/v1/errors */
testAnswers(
  NAME,
  [
    ["400 INVALID_ARGUMENT", googleError(400, "INVALID_ARGUMENT", "x"), "refused", "site", "no time"],
    ["401 UNAUTHENTICATED", googleError(401, "UNAUTHENTICATED", "x"), "unauthorized", "credential", "an hour"],
    ["403, the permission", denied(PERMISSION), "host_not_connected", "site", "never"],
    ["403 within 200", { ...denied(PERMISSION), status: 200 }, "host_not_connected", "site", "never"],
    ["403 SERVICE_DISABLED", denied("x", "SERVICE_DISABLED"), "unauthorized", "credential", "an hour"],
    ["403 rateLimitExceeded", older(403, "rateLimitExceeded"), "rate_limited", "credential", "a minute"],
    ["403 dailyLimitExceeded", older(403, "dailyLimitExceeded"), "quota", "credential", "until midnight"],
    ["404 NOT_FOUND", googleError(404, "NOT_FOUND", "x"), "host_not_connected", "site", "never"],
    ["429, without a word", exhausted("Quota exceeded"), "rate_limited", "credential", "a minute"],
    ["429, the day's", exhausted("limit 'Requests per day'"), "quota", "credential", "until midnight"],
    ["503 UNAVAILABLE", googleError(503, "UNAVAILABLE", "x"), "server_error", "provider", "no time"],
    ["an error without a code within 200", { status: 200, body: { error: "x" } }, "refused", "site", "no time"],
  ],
  {
    midnight: "2026-01-06T08:00:00Z",
    open({ api, world }) {
      const sites = twoSites((host) => ({ [NAME]: `http://${host}/` }));
      for (const { host } of sites) world.properties.set(`http://${host}/`, "siteOwner");
      return {
        channel: searchConsole(api),
        sites,
        sitemapOf: ({ host }) => `http://${host}/sitemap.xml`,
        requestsOf: (_, { host }) => ({ path: `/sites/${encodeURIComponent(`http://${host}/`)}/` }),
      };
    },
  },
);

test("429: rate_limited, for as long as Google says", async () => {
  providers.world.answer(NAME, { ...exhausted("Quota exceeded"), headers: { "Retry-After": "5" } }, 1);
  const until = providers.clock.service() + 5_000;
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited", until });
});

test("200 with a page of HTML is a bad_answer", async () => {
  providers.world.answer(NAME, { status: 200, body: "<html></html>" });
  expect((await failureIn(send())).kind).toBe("bad_answer");
});

test("a lost answer: the sitemap is submitted again, which does no harm", async () => {
  expect(await channel.lookUp!(callOf({ sitemapUrl: SITEMAP }))).toBe(false);
});
