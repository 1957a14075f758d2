import { beforeEach, expect, test } from "vitest";
import { serpLookup } from "../../../../../../src/indexing/engines/live/lookup/serp.ts";
import { serper } from "../../../../../../src/indexing/engines/live/lookup/serper.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { SERPER_UNAUTHORIZED } from "../../../../../support/upstreams/serper.ts";

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

test.each<[number, unknown, Record<string, string>, string]>([
  [400, { message: "Query too long" }, {}, "refused"],
  [401, SERPER_UNAUTHORIZED.body, {}, "unauthorized"],
  [402, {}, {}, "quota"],
  [429, {}, {}, "rate_limited"],
  [500, "oops", {}, "server_error"],
  [503, "", { "retry-after": "30" }, "server_error"],
  [302, "", { location: "/search" }, "bad_answer"],
  [200, "<html>captcha</html>", {}, "bad_answer"],
  [200, "", {}, "bad_answer"],
])("HTTP %d %j: fails", async (status, body, headers, kind) => {
  providers.world.answer("serper", { status, headers, body });
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "serper", kind });
});

test("rate_limited: until the time that the provider names", async () => {
  providers.world.answer("serper", { status: 429, headers: { "retry-after": "30" } });
  const until = providers.clock.service() + 30_000;
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ kind: "rate_limited", until });
});

test("unreachable: the connection breaks", async () => {
  providers.world.fail("serper", { answer: "drop" });
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ name: "UpstreamFailure", provider: "serper" });
});
