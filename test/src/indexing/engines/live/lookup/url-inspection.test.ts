import { decodeJwt } from "jose";
import { beforeEach, expect, test } from "vitest";
import type { OwnedSite } from "../../../../../../src/indexing/engines/engine.ts";
import { findSearchConsoleProperties } from "../../../../../../src/indexing/engines/live/google/properties.ts";
import { urlInspection } from "../../../../../../src/indexing/engines/live/lookup/url-inspection.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { twoSites } from "../../../../../support/indexing/channel-call.ts";
import { reasonsBy, testLookupAnswers } from "../../../../../support/indexing/documented-lookups.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import type { Reply } from "../../../../../support/upstreams/fake.ts";
import { googleError } from "../../../../../support/upstreams/google-error.ts";

const NAME = "url_inspection";
const PAGE = "https://www.example.com/page?a=1";

const siteOf = (property?: string): OwnedSite => ({
  host: "www.example.com",
  indexnowKey: "key",
  keyUrl: "https://www.example.com/key.txt",
  connections: property === undefined ? {} : { search_console: property },
});
const SITE = siteOf("https://www.example.com/");

const providers = eachTest(startFakeProviders);
let lookup: IndexLookup;

beforeEach(async () => {
  providers.world.properties.set("https://www.example.com/", "siteFullUser");
  providers.world.setIndexed(PAGE, true);
  lookup = urlInspection(providers.api);
});

const calls = () => providers.fakes.callsTo("url_inspection");
const answer = (status: number, body: unknown, headers = {}) =>
  providers.world.answer("url_inspection", { status, body, headers });

test("a lookup as it is sent", async () => {
  expect(await lookup.lookUp(PAGE, SITE)).toEqual({
    result: "indexed",
    authoritative: true,
    reason: "indexed",
    counts: { queries: 1 },
    crawl: {
      crawledAt: null,
      shared: { status: "successful" },
      own: { userCanonical: PAGE, googleCanonical: PAGE },
    },
    unitsUsed: 1,
  });
  const [call, ...more] = calls();
  expect(more).toEqual([]);
  expect([call!.method, call!.path]).toEqual(["POST", "/v1/urlInspection/index:inspect"]);
  expect(call!.headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer ya29\./),
    "content-type": "application/json",
  });
  const body = { inspectionUrl: PAGE, siteUrl: "https://www.example.com/", languageCode: "en-US" };
  expect(JSON.parse(call!.body)).toEqual(body);
  const [token] = providers.fakes.callsTo("google");
  const { scope } = decodeJwt(new URLSearchParams(token!.body).get("assertion")!);
  expect(scope).toBe("https://www.googleapis.com/auth/webmasters.readonly");
});

test("not_indexed: Google's own negative needs no second check", async () => {
  const indexStatusResult = { verdict: "NEUTRAL", coverageState: "URL is unknown to Google" };
  answer(200, { inspectionResult: { indexStatusResult } });
  const seen = await lookup.lookUp(PAGE, SITE);
  expect(seen).toMatchObject({ result: "not_indexed", authoritative: true, reason: "unknown_to_google", unitsUsed: 1 });
});

test("not_indexed, unknown: as Google reports it", async () => {
  providers.world.setIndexed(PAGE, false);
  expect(await lookup.lookUp(PAGE, SITE)).toMatchObject({ result: "not_indexed", reason: "crawled_not_indexed" });
  providers.world.setIndexed(PAGE, null);
  expect(await lookup.lookUp(PAGE, SITE)).toMatchObject({ result: "unknown", reason: "coverage_not_understood" });
});

test("host_not_connected: the property was taken from the service account", async () => {
  providers.world.properties.set("https://www.example.com/", "siteRestrictedUser");
  await expect(lookup.lookUp(PAGE, SITE)).rejects.toMatchObject({ provider: NAME, kind: "host_not_connected" });
});

test("quota: the property's quota of the day is used up", async () => {
  providers.world.quotas.set("url_inspection https://www.example.com/", 1);
  await lookup.lookUp(PAGE, SITE);
  await expect(lookup.lookUp(PAGE, SITE)).rejects.toMatchObject({ kind: "quota" });
});

test.each<[string, unknown]>([
  ["an empty object", {}],
  ["nothing", "null"],
  ["a list", []],
  ["a number", "7"],
  ["no result", { inspectionResult: null }],
  ["a result that is text", { inspectionResult: "PASS" }],
  ["no index status", { inspectionResult: { inspectionResultLink: "x" } }],
  ["an index status that is nothing", { inspectionResult: { indexStatusResult: null } }],
  ["an index status that is text", { inspectionResult: { indexStatusResult: "PASS" } }],
])("unknown: HTTP 200 with %s", async (_, body) => {
  answer(200, body);
  expect(await lookup.lookUp(PAGE, SITE)).toMatchObject({ result: "unknown", reason: "coverage_not_understood" });
});

const denied = (message: string, reason?: string) =>
  googleError(403, "PERMISSION_DENIED", message, reason === undefined ? [] : [{ reason }]);
const limited = (reason: string, message: string, unit?: string): Reply => {
  const details =
    unit === undefined ? {} : { details: [{ reason: "RATE_LIMIT_EXCEEDED", metadata: { quota_unit: unit } }] };
  const errors = [{ domain: "usageLimits", reason, message }];
  return { status: 429, body: { error: { code: 429, message, status: "RESOURCE_EXHAUSTED", errors, ...details } } };
};
const older = (status: number, reason: string) => ({ status, body: { error: { code: status, errors: [{ reason }] } } });

/** https://developers.google.com/webmaster-tools/v1/errors, https://developers.google.com/webmaster-tools/limits */
testLookupAnswers(
  { provider: NAME, midnight: "2026-01-06T08:00:00Z" },
  [
    ["400 INVALID_ARGUMENT", googleError(400, "INVALID_ARGUMENT", "x"), "invalid_url", "url", "never"],
    ["401 UNAUTHENTICATED", googleError(401, "UNAUTHENTICATED", "x"), "unauthorized", "credential", "an hour"],
    ["403, the permission", denied("You do not own this site"), "host_not_connected", "site", "never"],
    ["403 SERVICE_DISABLED", denied("x", "SERVICE_DISABLED"), "unauthorized", "credential", "an hour"],
    ["403 dailyLimitExceeded", older(403, "dailyLimitExceeded"), "quota", "site", "until midnight"],
    ["403 userRateLimitExceeded", older(403, "userRateLimitExceeded"), "rate_limited", "site", "a minute"],
    ["404", googleError(404, "NOT_FOUND", "x"), "host_not_connected", "site", "never"],
    ["429, without a word", { status: 429 }, "quota", "site", "until midnight"],
    ["429, the day's", limited("quotaExceeded", "Quota exceeded"), "quota", "site", "until midnight"],
    ["429, the day's by its unit", limited("", "Quota exceeded", "1/d/{project}"), "quota", "site", "until midnight"],
    [
      "429, the day's, called a rate",
      limited("rateLimitExceeded", "Queries per day"),
      "quota",
      "site",
      "until midnight",
    ],
    ["429, the project's day", limited("", "Queries per day per project"), "quota", "credential", "until midnight"],
    ["429, the minute's", limited("rateLimitExceeded", "x"), "rate_limited", "site", "a minute"],
    ["429, the minute's by its unit", limited("", "x", "1/min/{project}"), "rate_limited", "site", "a minute"],
    ["429, the minute's in words", limited("", "Requests per minute", "?"), "rate_limited", "site", "a minute"],
    ["500 INTERNAL", googleError(500, "INTERNAL", "x"), "server_error", "provider", "no time"],
    ["503", { status: 503 }, "server_error", "provider", "no time"],
    ["302", { status: 302 }, "bad_answer", "provider", "no time"],
    ["200 with a page", { status: 200, body: "<html>" }, "bad_answer", "provider", "no time"],
  ],
  ({ api, world }, book) => {
    const sites = twoSites((host) => ({ search_console: `http://${host}/` }));
    for (const { host } of sites) world.properties.set(`http://${host}/`, "siteFullUser");
    return reasonsBy(urlInspection(api), book, sites);
  },
);

test("rate_limited: until the time that Google names", async () => {
  answer(429, limited("rateLimitExceeded", "x").body, { "retry-after": "30" });
  const until = providers.clock.service() + 30_000;
  await expect(lookup.lookUp(PAGE, SITE)).rejects.toMatchObject({ kind: "rate_limited", until });
});

test("without a token the lookup fails as the token did, and nothing is sent", async () => {
  providers.world.answer("google", { status: 400, body: { error: "invalid_grant" } });
  const failure = { provider: "url_inspection", kind: "unauthorized" };
  await expect(lookup.lookUp(PAGE, SITE)).rejects.toMatchObject(failure);
  expect(calls()).toEqual([]);
});

test("401: the refused token is not used again", async () => {
  await lookup.lookUp(PAGE, SITE);
  providers.world.answer("url_inspection", { status: 401 }, 1);
  await expect(lookup.lookUp(PAGE, SITE)).rejects.toMatchObject({ kind: "unauthorized" });
  expect(await lookup.lookUp(PAGE, SITE)).toMatchObject({ result: "indexed" });
  const [first, second, third] = calls().map(({ headers }) => headers.authorization);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("a service account that cannot be used is refused before any request", () => {
  const settings = { ...providers.api.settings, GOOGLE_SERVICE_ACCOUNT: "{}" };
  expect(() => urlInspection({ ...providers.api, settings })).toThrow("GOOGLE_SERVICE_ACCOUNT");
});

test.each<[string | undefined, string, boolean]>([
  ["https://www.example.com/", "https://www.example.com/a", true],
  ["https://www.example.com/", "http://www.example.com/a", false],
  ["https://www.example.com/blog/", "https://www.example.com/blog/a", true],
  ["https://www.example.com/blog/", "https://www.example.com/a", false],
  ["https://www.example.com/blog/ https://www.example.com/shop/", "https://www.example.com/shop/a", true],
  ["sc-domain:example.com", "https://www.example.com/a", true],
  [undefined, "https://www.example.com/a", false],
])("the property %s and %s: covered is %s", (property, url, covered) => {
  expect(lookup.covers(url, siteOf(property))).toBe(covered);
  expect(lookup.covers(url, null)).toBe(false);
});

test("a page is asked about under the property that contains it, whose name has no marks of direction", async () => {
  providers.world.properties.clear();
  for (const name of ["https://\u202bעברית.example\u202c/a/", "https://\u202bעברית.example\u202c/b/"])
    providers.world.properties.set(name, "siteOwner");
  const host = "xn--5dbqzzl.example";
  const site = { ...SITE, connections: { search_console: (await findSearchConsoleProperties(providers.api, host))! } };
  providers.world.setIndexed(`https://${host}/b/page`, true);
  expect(await lookup.lookUp(`https://${host}/b/page`, site)).toMatchObject({ result: "indexed" });
  expect(JSON.parse(calls()[0]!.body).siteUrl).toBe("https://עברית.example/b/");
});

test("the quota is 2,000 a day for each property, in Pacific days, and no canaries are needed", () => {
  expect(lookup.quota(SITE)).toEqual({
    provider: NAME,
    site: "https://www.example.com/",
    isPerSite: true,
    daily: 2_000,
    zone: "America/Los_Angeles",
    price: 0,
  });
  expect([lookup.needsCanaries, lookup.maxUnits, lookup.method]).toEqual([false, 1, "url_inspection"]);
});
