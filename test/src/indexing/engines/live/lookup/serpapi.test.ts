import { beforeEach, expect, test } from "vitest";
import { serpLookup } from "../../../../../../src/indexing/engines/live/lookup/serp.ts";
import { serpapi } from "../../../../../../src/indexing/engines/live/lookup/serpapi.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { reasonsBy, testLookupAnswers } from "../../../../../support/indexing/documented-lookups.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import {
  SERPAPI_FAILED,
  SERPAPI_HOURLY,
  SERPAPI_NO_SEARCHES,
  SERPAPI_UNAUTHORIZED,
} from "../../../../../support/upstreams/serpapi.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const URL = "https://www.example.com/page?a=1+2&b=%20";
const KEY = "serpapi secret&2";

const providers = eachTest(startFakeProviders);
let lookup: IndexLookup;

beforeEach(async () => {
  providers.world.keys.set("serpapi", KEY);
  lookup = serpLookup(providers.api, serpapi(providers.api, KEY));
});

test("a search as it is sent", async () => {
  providers.world.setIndexed(URL, true);
  await lookup.lookUp(URL, null);
  const [call, ...more] = providers.fakes.calls;
  expect(more).toEqual([]);
  expect([call!.method, call!.path, call!.body]).toEqual(["GET", "/search.json", ""]);
  expect(Object.fromEntries(call!.query)).toEqual({
    engine: "google",
    q: URL,
    gl: "us",
    hl: "en",
    no_cache: "true",
    filter: "0",
    nfpr: "1",
    output: "json",
    api_key: KEY,
  });
});

test("indexed: the page is found under another spelling of its URL", async () => {
  providers.world.setIndexed("http://example.com/page/", true);
  const sighting = await lookup.lookUp("https://www.example.com/page", null);
  expect(sighting).toMatchObject({ result: "indexed", counts: { queries: 1, matches: 1 }, unitsUsed: 1 });
});

test("not_indexed: the bare search finds other pages, and the site: search has the state for an empty result", async () => {
  expect(await lookup.lookUp(URL, null)).toEqual({
    result: "not_indexed",
    reason: "no_match",
    counts: { queries: 2, results: 3, matches: 0 },
    unitsUsed: 2,
  });
  expect(providers.fakes.calls.map(({ query }) => query.get("q"))).toEqual([URL, "site:example.com/page?a=1+2&b=%20"]);
});

const success = { search_metadata: { status: "Success" } };
const empty = { search_information: { organic_results_state: "Fully empty" } };

test.each<[string, unknown]>([
  ["Success without results and without the state", success],
  ["Success with an empty list and without the state", { ...success, organic_results: [] }],
  ["Success with an error and another state", { ...success, error: "x", search_information: {} }],
  ["a state without Success", empty],
  ["Processing", { search_metadata: { status: "Processing" }, ...empty }],
  ["Queued", { search_metadata: { status: "Queued" }, organic_results: [{ link: "https://example.com/" }] }],
  ["results that are no list", { ...success, organic_results: {} }],
  ["results without links", { ...success, ...empty, organic_results: [{ title: "x" }] }],
  ["a result that is nothing", { ...success, organic_results: [null] }],
  ["parts that are nothing", { search_metadata: null, search_information: null, organic_results: null }],
  ["nothing", "null"],
  ["a list", []],
])("unknown: HTTP 200 with %s", async (_, body) => {
  providers.world.answer("serpapi", { status: 200, body });
  expect(await lookup.lookUp(URL, null)).toMatchObject({ result: "unknown", reason: "unclear_answer" });
});

test("server_error: Google's page could not be read", async () => {
  providers.world.setIndexed(URL, null);
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ kind: "server_error", mayHaveArrived: false });
});

test("unauthorized: the key is wrong", async () => {
  providers.world.keys.delete("serpapi");
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "serpapi", kind: "unauthorized" });
});

test("quota: the searches are used up", async () => {
  providers.world.credits.set("serpapi", 1);
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "serpapi", kind: "quota" });
});

const failed = { search_metadata: { status: "Error" } };

/** https://serpapi.com/api-status-and-error-codes */
testLookupAnswers(
  { provider: "serpapi", midnight: "2026-01-06T00:00:00Z" },
  [
    ["400 Bad Request", { status: 400, body: { error: "Missing query `q` parameter." } }, "refused", "url", "no time"],
    ["401 Unauthorized", SERPAPI_UNAUTHORIZED, "unauthorized", "credential", "an hour"],
    ["403 Forbidden", { status: 403, body: { error: "x" } }, "unauthorized", "credential", "an hour"],
    ["404 Not Found", { status: 404, body: { error: "x" } }, "refused", "provider", "no time"],
    ["410 Gone", { status: 410, body: { error: "x" } }, "refused", "url", "no time"],
    ["429, the hourly limit", SERPAPI_HOURLY, "rate_limited", "credential", "a minute"],
    ["429, out of searches", SERPAPI_NO_SEARCHES, "quota", "credential", "until midnight"],
    ["out of searches within 200", { ...SERPAPI_NO_SEARCHES, status: 200 }, "quota", "credential", "until midnight"],
    ["500", { status: 500, body: "oops" }, "server_error", "provider", "no time"],
    ["503", SERPAPI_FAILED, "server_error", "provider", "no time"],
    ["Error within 200", { status: 200, body: { ...failed, error: "x" } }, "server_error", "provider", "no time"],
    ["Error and nothing found", { status: 200, body: { ...failed, ...empty } }, "server_error", "provider", "no time"],
    ["an error within 200", { status: 200, body: { error: "Unsupported" } }, "bad_answer", "provider", "no time"],
    ["200 with a page", { status: 200, body: "<html>captcha</html>" }, "bad_answer", "provider", "no time"],
    ["200 with nothing", { status: 200 }, "bad_answer", "provider", "no time"],
  ],
  ({ api }, book) => reasonsBy(serpLookup(api, serpapi(api, secretOf("serpapi"))), book),
);
