import { beforeEach, expect, test } from "vitest";
import { dataforseo } from "../../../../../../src/indexing/engines/live/lookup/dataforseo.ts";
import { serpLookup } from "../../../../../../src/indexing/engines/live/lookup/serp.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { reasonsBy, testLookupAnswers } from "../../../../../support/indexing/documented-lookups.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { dataforseoRefusal, dataforseoTask } from "../../../../../support/upstreams/dataforseo.ts";
import type { Reply } from "../../../../../support/upstreams/fake.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const URL = "https://www.example.com/page?a=1+2&b=%20";
const account = (secret: string) => {
  const [login, password] = secret.split(":");
  return { login: login!, password: password! };
};
const ACCOUNT = { login: "login@example.com", password: "pass:word" };

const providers = eachTest(startFakeProviders);
let lookup: IndexLookup;

beforeEach(async () => {
  providers.world.keys.set("dataforseo", "login@example.com:pass:word");
  lookup = serpLookup(providers.api, dataforseo(providers.api, ACCOUNT));
});

const keywords = () => providers.fakes.calls.map(({ body }) => JSON.parse(body)[0].keyword);

test("a search as it is sent: percent signs are escaped, since the API decodes them", async () => {
  providers.world.setIndexed(URL, true);
  expect(await lookup.lookUp(URL, null)).toMatchObject({ result: "indexed", unitsUsed: 1 });
  const [call, ...more] = providers.fakes.calls;
  expect(more).toEqual([]);
  expect([call!.method, call!.path]).toEqual(["POST", "/v3/serp/google/organic/live/regular"]);
  const authorization = `Basic ${Buffer.from("login@example.com:pass:word").toString("base64")}`;
  expect(call!.headers).toMatchObject({ authorization, "content-type": "application/json" });
  expect(JSON.parse(call!.body)).toEqual([
    {
      keyword: "https://www.example.com/page?a=1%2B2&b=%2520",
      location_code: 2840,
      language_code: "en",
      device: "desktop",
      depth: 10,
    },
  ]);
});

test("not_indexed: the bare search finds other pages; the site: search, five times as expensive, has the code for no results", async () => {
  providers.world.credits.set("dataforseo", 6);
  expect(await lookup.lookUp(URL, null)).toEqual({
    result: "not_indexed",
    reason: "no_match",
    counts: { queries: 2, results: 3, matches: 0 },
    unitsUsed: 6,
  });
  expect(keywords()[1]).toBe("site:example.com/page?a=1%2B2&b=%2520");
  expect(providers.world.credits.get("dataforseo")).toBe(0);
  expect(lookup.maxUnits).toBe(6);
});

test("a URL that contains a search operator is searched at the ordinary price", async () => {
  providers.world.credits.set("dataforseo", 1);
  await expect(lookup.lookUp("https://example.com/?q=site:x&r=inurl:y", null)).rejects.toMatchObject({ kind: "quota" });
  expect(providers.world.credits.get("dataforseo")).toBe(0);
  expect(keywords()[0]).toBe("https://example.com/?q=site%253Ax&r=inurl%253Ay");
});

const items = (...all: unknown[]) => dataforseoTask(20_000, "Ok.", [{ items: all }]);
const organic = { type: "organic", url: "https://example.com/" };

test.each<[string, Reply]>([
  ["no result", dataforseoTask(20_000, "Ok.", null)],
  ["an empty result", dataforseoTask(20_000, "Ok.", [])],
  ["a result that is nothing", dataforseoTask(20_000, "Ok.", [null])],
  ["no items", dataforseoTask(20_000, "Ok.", [{ items: null }])],
  ["empty items", items()],
  ["items of other kinds only", items({ type: "paid", url: "https://www.example.com/page?a=1+2&b=%20" })],
  ["an organic item without its address", items(organic, { type: "organic" })],
  ["an address that is no text", items({ type: "organic", url: 1 })],
  ["items that are nothing", items(null, 1, "x")],
])("unknown: both status codes are fine, and %s", async (_, reply) => {
  providers.world.answer("dataforseo", reply);
  expect(await lookup.lookUp(URL, null)).toMatchObject({ result: "unknown", reason: "unclear_answer" });
});

test("server_error: Google's page could not be read", async () => {
  providers.world.setIndexed(URL, null);
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "dataforseo", kind: "server_error" });
});

test("unauthorized: the password is wrong", async () => {
  providers.world.keys.set("dataforseo", "login@example.com:changed");
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "dataforseo", kind: "unauthorized" });
});

test("quota: the account's money is used up", async () => {
  providers.world.credits.set("dataforseo", 3);
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "dataforseo", kind: "quota" });
  expect(providers.fakes.calls).toHaveLength(2);
});

const task = (code: number) => dataforseoTask(code, "x");
const call = (code: number, status = 200) => dataforseoRefusal(code, "x", status);

/** https://docs.dataforseo.com/v3/appendix/errors */
testLookupAnswers(
  { provider: "dataforseo", midnight: "2026-01-06T00:00:00Z" },
  [
    ["HTTP 401", call(40_100, 401), "unauthorized", "credential", "an hour"],
    ["HTTP 402", call(40_200, 402), "quota", "credential", "until midnight"],
    ["HTTP 404", call(40_400, 404), "refused", "provider", "no time"],
    ["HTTP 500", { status: 500 }, "server_error", "provider", "no time"],
    ["40000 You can set only one task", call(40_000), "refused", "url", "no time"],
    ["40100 You are not Authorized", call(40_100), "unauthorized", "credential", "an hour"],
    ["40101 Internal SE Server Error", task(40_101), "server_error", "provider", "no time"],
    ["40103 Task execution failed", task(40_103), "server_error", "provider", "no time"],
    ["40104 Please verify your account", call(40_104), "unauthorized", "credential", "an hour"],
    ["40200 Payment Required", task(40_200), "quota", "credential", "until midnight"],
    ["40201 Access denied, suspended", call(40_201), "unauthorized", "credential", "an hour"],
    ["40202 The rate limit of a minute", call(40_202), "rate_limited", "credential", "a minute"],
    ["40203 The cost limit of a day", task(40_203), "quota", "credential", "until midnight"],
    ["40204 Access denied, no subscription", call(40_204), "unauthorized", "credential", "an hour"],
    ["40205 The limit of equal tasks", task(40_205), "rate_limited", "url", "no time"],
    ["40207 Access denied, the address", call(40_207), "unauthorized", "credential", "an hour"],
    ["40209 Too many calls at once", call(40_209), "rate_limited", "credential", "a minute"],
    ["40210 Insufficient Funds", task(40_210), "quota", "credential", "until midnight"],
    ["40501 Invalid Field", task(40_501), "refused", "url", "no time"],
    ["50000 Internal Error", call(50_000), "server_error", "provider", "no time"],
    ["50303 Temporarily unavailable", task(50_303), "server_error", "provider", "no time"],
    ["20100 Task Created, and nothing in it", task(20_100), "bad_answer", "provider", "no time"],
    ["a code that is none", call(0), "bad_answer", "provider", "no time"],
  ],
  ({ api }, book) => reasonsBy(serpLookup(api, dataforseo(api, account(secretOf("dataforseo")))), book),
);

test("the code for no results is accepted of a task only, not of the call", async () => {
  providers.world.answer("dataforseo", dataforseoRefusal(40_102, "No Search Results."));
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ kind: "refused" });
});

test.each<[number, unknown, string]>([
  [401, dataforseoRefusal(40_100, "x", 401).body, "unauthorized"],
  [402, "", "quota"],
  [404, "", "refused"],
  [500, "", "server_error"],
  [200, "<html>", "bad_answer"],
  [200, "null", "bad_answer"],
  [200, [], "bad_answer"],
  [200, { status_code: "20000" }, "bad_answer"],
  [200, { status_code: 20_000 }, "bad_answer"],
  [200, { status_code: 20_000, tasks: [] }, "bad_answer"],
  [200, { status_code: 20_000, tasks: [null] }, "bad_answer"],
])("HTTP %d %j: fails", async (status, body, kind) => {
  providers.world.answer("dataforseo", { status, body });
  await expect(lookup.lookUp(URL, null)).rejects.toMatchObject({ provider: "dataforseo", kind });
});
