import { beforeEach, expect, test } from "vitest";
import { serpLookup } from "../../../../../../src/indexing/engines/live/lookup/serp.ts";
import { serpapi } from "../../../../../../src/indexing/engines/live/lookup/serpapi.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { SERPAPI_HOURLY, SERPAPI_NO_SEARCHES } from "../../../../../support/upstreams/serpapi.ts";

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

test.each<[string, number, unknown, string]>([
  ["the hourly limit", 429, SERPAPI_HOURLY.body, "rate_limited"],
  ["out of searches with success", 200, SERPAPI_NO_SEARCHES.body, "quota"],
  ["an error with success", 200, { error: "Unsupported `xx` gl parameter." }, "bad_answer"],
  ["status Error with success", 200, { search_metadata: { status: "Error" }, error: "x" }, "server_error"],
  ["Error beside an empty state", 200, { search_metadata: { status: "Error" }, ...empty }, "server_error"],
  ["a parameter missing", 400, { error: "Missing query `q` parameter." }, "refused"],
  ["a deleted account", 403, { error: "x" }, "unauthorized"],
  ["a broken server", 500, "oops", "server_error"],
  ["a page", 200, "<html>captcha</html>", "bad_answer"],
  ["silence", 200, "", "bad_answer"],
])("fails: %s", async (_, status, body, kind) => {
  providers.world.answer("serpapi", { status, body });
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "serpapi", kind });
});
