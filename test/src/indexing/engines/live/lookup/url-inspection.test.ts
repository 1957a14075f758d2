import { decodeJwt } from "jose";
import { beforeEach, expect, test } from "vitest";
import type { OwnedSite } from "../../../../../../src/indexing/engines/engine.ts";
import { findSearchConsoleProperties } from "../../../../../../src/indexing/engines/live/google/properties.ts";
import { urlInspection } from "../../../../../../src/indexing/engines/live/lookup/url-inspection.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { DAY, HOUR, MINUTE } from "../../../../../../src/platform/clock.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";

const URL = "https://www.example.com/page?a=1";

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
  providers.world.setIndexed(URL, true);
  lookup = urlInspection(providers.api);
});

const calls = () => providers.fakes.callsTo("url_inspection");
const answer = (status: number, body: unknown, headers = {}) =>
  providers.world.answer("url_inspection", { status, body, headers });

test("a lookup as it is sent", async () => {
  expect(await lookup.lookUp(URL, SITE)).toEqual({
    result: "indexed",
    authoritative: true,
    reason: "indexed",
    counts: { queries: 1 },
    unitsUsed: 1,
  });
  const [call, ...more] = calls();
  expect(more).toEqual([]);
  expect([call!.method, call!.path]).toEqual(["POST", "/v1/urlInspection/index:inspect"]);
  expect(call!.headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer ya29\./),
    "content-type": "application/json",
  });
  const body = { inspectionUrl: URL, siteUrl: "https://www.example.com/", languageCode: "en-US" };
  expect(JSON.parse(call!.body)).toEqual(body);
  const [token] = providers.fakes.callsTo("google");
  const { scope } = decodeJwt(new URLSearchParams(token!.body).get("assertion")!);
  expect(scope).toBe("https://www.googleapis.com/auth/webmasters.readonly");
});

test("not_indexed: Google's own negative needs no second check", async () => {
  const indexStatusResult = { verdict: "NEUTRAL", coverageState: "URL is unknown to Google" };
  answer(200, { inspectionResult: { indexStatusResult } });
  const seen = await lookup.lookUp(URL, SITE);
  expect(seen).toMatchObject({ result: "not_indexed", authoritative: true, reason: "unknown_to_google", unitsUsed: 1 });
});

test("not_indexed, unknown: as Google reports it", async () => {
  providers.world.setIndexed(URL, false);
  expect(await lookup.lookUp(URL, SITE)).toMatchObject({ result: "not_indexed", reason: "crawled_not_indexed" });
  providers.world.setIndexed(URL, null);
  expect(await lookup.lookUp(URL, SITE)).toMatchObject({ result: "unknown", reason: "coverage_not_understood" });
});

test("unauthorized: the property was taken from the service account", async () => {
  providers.world.properties.set("https://www.example.com/", "siteRestrictedUser");
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ provider: "url_inspection", kind: "unauthorized" });
});

test("quota: the property's quota of the day is used up", async () => {
  providers.world.quotas.set("url_inspection https://www.example.com/", 1);
  await lookup.lookUp(URL, SITE);
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ kind: "quota" });
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
  expect(await lookup.lookUp(URL, SITE)).toMatchObject({ result: "unknown", reason: "coverage_not_understood" });
});

const denied = { code: 403, message: "You do not own this site", status: "PERMISSION_DENIED" };

test.each<[number, unknown, string]>([
  [200, "<html>", "bad_answer"],
  [400, { error: { code: 400, status: "INVALID_ARGUMENT" } }, "refused"],
  [401, { error: { code: 401, status: "UNAUTHENTICATED" } }, "unauthorized"],
  [403, { error: denied }, "unauthorized"],
  [500, { error: { code: 500, status: "INTERNAL" } }, "server_error"],
  [503, "", "server_error"],
  [302, "", "bad_answer"],
])("HTTP %d %j: fails", async (status, body, kind) => {
  answer(status, body);
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ provider: "url_inspection", kind });
});

const error = (reason: string, message: string, unit?: string) => ({
  error: {
    code: 429,
    message,
    status: "RESOURCE_EXHAUSTED",
    ...(unit === undefined ? { errors: [{ domain: "usageLimits", reason, message }] } : {}),
    ...(unit === undefined ? {} : { details: [{ reason: "RATE_LIMIT_EXCEEDED", metadata: { quota_unit: unit } }] }),
  },
});

/** At noon UTC of a winter's day it is 4 in the morning there. */
const MIDNIGHT = 20 * HOUR;

test.each<[string, number, unknown, string, number]>([
  ["the day's limit", 429, error("quotaExceeded", "Quota exceeded"), "quota", MIDNIGHT],
  ["the day's limit by its unit", 429, error("", "Quota exceeded", "1/d/{project}"), "quota", MIDNIGHT],
  ["the day's limit with 403", 403, error("dailyLimitExceeded", "x"), "quota", MIDNIGHT],
  ["the day's limit called a rate", 429, error("rateLimitExceeded", "Queries per day"), "quota", MIDNIGHT],
  ["a limit without a word", 429, "", "quota", MIDNIGHT],
  ["the minute's limit", 429, error("rateLimitExceeded", "x"), "rate_limited", MINUTE],
  ["the minute's limit by its unit", 429, error("", "x", "1/min/{project}"), "rate_limited", MINUTE],
  ["the minute's limit in words", 429, error("", "Requests per minute", "?"), "rate_limited", MINUTE],
  ["the minute's limit with 403", 403, error("userRateLimitExceeded", "x"), "rate_limited", MINUTE],
])("%s: HTTP %d", async (_, status, body, kind, wait) => {
  answer(status, body);
  const until = providers.clock.service() + wait;
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ provider: "url_inspection", kind, until });
});

test("until is in service time, also if that is not real time", async () => {
  providers.clock.pass(0, 30 * DAY);
  answer(429, "");
  const until = providers.clock.service() + MIDNIGHT;
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ until });
});

test("rate_limited: until the time that Google names", async () => {
  answer(429, error("rateLimitExceeded", "x"), { "retry-after": "30" });
  const until = providers.clock.service() + 30_000;
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ kind: "rate_limited", until });
});

test("without a token the lookup fails as the token did, and nothing is sent", async () => {
  providers.world.answer("google", { status: 400, body: { error: "invalid_grant" } });
  const failure = { provider: "url_inspection", kind: "unauthorized" };
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject(failure);
  expect(calls()).toEqual([]);
});

test("401: the refused token is not used again", async () => {
  await lookup.lookUp(URL, SITE);
  providers.world.answer("url_inspection", { status: 401 }, 1);
  await expect(lookup.lookUp(URL, SITE)).rejects.toMatchObject({ kind: "unauthorized" });
  expect(await lookup.lookUp(URL, SITE)).toMatchObject({ result: "indexed" });
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
  const pool = { name: "url_inspection https://www.example.com/", daily: 2_000, zone: "America/Los_Angeles", price: 0 };
  expect(lookup.quota(SITE)).toEqual(pool);
  expect([lookup.needsCanaries, lookup.maxUnits, lookup.method]).toEqual([false, 1, "url_inspection"]);
});
