import { beforeEach, expect, test } from "vitest";
import { serpLookup } from "../../../../../../src/indexing/engines/live/lookup/serp.ts";
import { serper } from "../../../../../../src/indexing/engines/live/lookup/serper.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { reasonsBy, testLookupAnswers } from "../../../../../support/indexing/documented-lookups.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { SERPER_NO_CREDITS, SERPER_UNAUTHORIZED } from "../../../../../support/upstreams/serper.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const URL = "https://www.example.com/page?a=1+2&b=%20";
const KEY = "serper-secret-1";

const providers = eachTest(startFakeProviders);
let lookup: IndexLookup;

beforeEach(async () => {
  providers.world.keys.set("serper", KEY);
  lookup = serpLookup(providers.api, serper(providers.api, KEY));
});

const ok = (body: unknown) => providers.world.answer("serper", { status: 200, body });
const searchParameters = { q: URL, type: "search" };

test("a search as it is sent", async () => {
  providers.world.setIndexed(URL, true);
  await lookup.lookUp(URL, null);
  const [call, ...more] = providers.fakes.calls;
  expect(more).toEqual([]);
  expect([call!.method, call!.path]).toEqual(["POST", "/search"]);
  expect(call!.headers).toMatchObject({ "x-api-key": KEY, "content-type": "application/json" });
  const body = { q: URL, gl: "us", hl: "en", num: 10, page: 1, autocorrect: false };
  expect(JSON.parse(call!.body)).toEqual(body);
});

test("indexed: the page is found under another spelling of its URL", async () => {
  providers.world.setIndexed("http://example.com/page/", true);
  const sighting = await lookup.lookUp("https://www.example.com/page", null);
  expect(sighting).toMatchObject({ result: "indexed", counts: { queries: 1, matches: 1 }, unitsUsed: 1 });
});

test("not_indexed: the bare search finds other pages of the host, and the site: search an empty list", async () => {
  expect(await lookup.lookUp(URL, null)).toEqual({
    result: "not_indexed",
    reason: "no_match",
    counts: { queries: 2, results: 3, matches: 0 },
    unitsUsed: 2,
  });
  expect(providers.fakes.calls.map(({ body }) => JSON.parse(body).q)).toEqual([
    URL,
    "site:example.com/page?a=1+2&b=%20",
  ]);
});

test.each<[string, unknown]>([
  ["no organic part", { searchParameters, credits: 1 }],
  ["an organic part that is no list", { searchParameters, organic: {} }],
  ["results without links", { searchParameters, organic: [{ title: "x" }] }],
  ["a result that is nothing", { searchParameters, organic: [null] }],
  ["a link that is no text", { searchParameters, organic: [{ link: 1 }] }],
  ["no word of what was searched", { organic: [] }],
  ["an empty object", {}],
  ["nothing", null],
  ["a list", []],
  ["a text", '"x"'],
])("unknown: HTTP 200 with %s", async (_, body) => {
  ok(body === null ? "null" : body);
  expect(await lookup.lookUp(URL, null)).toMatchObject({ result: "unknown", reason: "unclear_answer" });
});

test("unknown: Google's page could not be read", async () => {
  providers.world.setIndexed(URL, null);
  expect(await lookup.lookUp(URL, null)).toMatchObject({ result: "unknown", counts: { queries: 2, results: 0 } });
});

test("unauthorized: the key is wrong", async () => {
  providers.world.keys.set("serper", "another");
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "serper", kind: "unauthorized" });
});

test("quota: the credits are used up", async () => {
  providers.world.credits.set("serper", 1);
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "serper", kind: "quota" });
  expect(providers.fakes.calls).toHaveLength(2);
});

testLookupAnswers(
  { provider: "serper", midnight: "2026-01-06T00:00:00Z" },
  [
    ["400 Query too long", { status: 400, body: { message: "Query too long" } }, "refused", "url", "no time"],
    ["400 Not enough credits", SERPER_NO_CREDITS, "quota", "credential", "until midnight"],
    ["401", { status: 401 }, "unauthorized", "credential", "an hour"],
    ["402", { status: 402 }, "quota", "credential", "until midnight"],
    ["403 Unauthorized", SERPER_UNAUTHORIZED, "unauthorized", "credential", "an hour"],
    ["404", { status: 404 }, "refused", "provider", "no time"],
    ["429", { status: 429 }, "rate_limited", "credential", "a minute"],
    ["500", { status: 500, body: "oops" }, "server_error", "provider", "no time"],
    ["503", { status: 503 }, "server_error", "provider", "no time"],
    ["302", { status: 302, headers: { location: "/search" } }, "bad_answer", "provider", "no time"],
    ["200 with a page", { status: 200, body: "<html>captcha</html>" }, "bad_answer", "provider", "no time"],
    ["200 with nothing", { status: 200 }, "bad_answer", "provider", "no time"],
  ],
  ({ api }, book) => reasonsBy(serpLookup(api, serper(api, secretOf("serper"))), book),
);

test("rate_limited: until the time that the provider names", async () => {
  providers.world.answer("serper", { status: 429, headers: { "retry-after": "30" } });
  const until = providers.clock.service() + 30_000;
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ kind: "rate_limited", until });
});

test("unreachable: the connection breaks", async () => {
  providers.world.fail("serper", { answer: "drop" });
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ name: "UpstreamFailure", provider: "serper" });
});
