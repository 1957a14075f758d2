import { afterEach, beforeEach, expect, test } from "vitest";
import type { OwnedSite } from "../../../../../../src/indexing/engines/engine.ts";
import { indexNow } from "../../../../../../src/indexing/engines/live/submit/indexnow.ts";
import { callOf, failureIn, linesOf, targetOf } from "../../../../../support/indexing/channel-call.ts";
import { type FakeProviders, startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { type KeyHost, keyHost, page } from "../../../../../support/network/key-host.ts";

const KEY = "0123456789abcdef0123456789abcdef";

let providers: FakeProviders;
let website: KeyHost;
let site: OwnedSite;
let urls: string[];

beforeEach(async () => {
  [providers, website] = await Promise.all([startFakeProviders(), keyHost()]);
  website.answer = page(KEY);
  const origin = `http://${website.host}`;
  site = { host: website.host, indexnowKey: KEY, keyUrl: `${origin}/${KEY}.txt`, connections: {} };
  urls = [`${origin}/a?x=1&y=%20`, `${origin}/b`];
});
afterEach(() => Promise.all([providers.close(), website.close()]));

const LANES = [
  ["bing", "indexnow_bing"],
  ["yandex", "indexnow_yandex"],
] as const;

test.each(LANES)("%s, 200: accepted, after the engine has read the key file", async (lane, name) => {
  const channel = indexNow(providers.api, lane);
  expect([channel.name, channel.lane, channel.perHost]).toEqual([name, lane, true]);
  expect(await channel.send(callOf({ urls, site }))).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
  expect(website.asked).toEqual([`/${KEY}.txt`]);
  expect(providers.world.urlsSubmittedTo(name)).toEqual(urls);
  expect(linesOf(providers.fakes, name)).toEqual(["POST /indexnow"]);
  const [call] = providers.fakes.callsTo(name);
  expect(call!.headers["content-type"]).toBe("application/json; charset=utf-8");
  const sent = { host: website.host, key: KEY, keyLocation: `http://${website.host}/${KEY}.txt`, urlList: urls };
  expect(JSON.parse(call!.body)).toEqual(sent);
});

test.each(LANES)("%s, 403: a key file with other content is not accepted", async (lane) => {
  website.answer = page("another key");
  const rejected = { kind: "rejected", detail: "key_not_accepted" };
  expect(await indexNow(providers.api, lane).send(callOf({ urls, site }))).toEqual([rejected, rejected]);
});

test.each(LANES)("%s, 422: URLs of another host are rejected", async (lane) => {
  const rejected = { kind: "rejected", detail: "url_not_of_host" };
  expect(await indexNow(providers.api, lane).send(callOf({ urls: ["http://other.example/"], site }))).toEqual([
    rejected,
  ]);
});

test.each(LANES)("%s, 202: accepted, the key is checked later", async (lane, name) => {
  providers.world.answer(name, { status: 202, body: "" });
  const accepted = { kind: "accepted", detail: "key_pending" };
  expect(await indexNow(providers.api, lane).send(callOf({ urls, site }))).toEqual([accepted, accepted]);
});

test.each(LANES)("%s, 429: rate_limited, for as long as the engine says", async (lane, name) => {
  providers.world.answer(name, { status: 429, headers: { "Retry-After": "120" } });
  const failure = await failureIn(indexNow(providers.api, lane).send(callOf({ urls, site })));
  expect(failure).toMatchObject({ kind: "rate_limited", until: providers.clock.service() + 120_000 });
  expect(failure.mayHaveArrived).toBe(false);
});

test.each([
  ["400: a call it does not understand", { status: 400 }, "refused"],
  ["405", { status: 405 }, "refused"],
  ["200 that says it failed", { status: 200, body: { success: false, message: "Invalid key" } }, "refused"],
  ["200 with a page of HTML", { status: 200, body: "<html>are you a robot?</html>" }, "bad_answer"],
  ["302, which is not followed", { status: 302, headers: { Location: "/elsewhere" } }, "bad_answer"],
])("%s is a failure", async (_, answer, kind) => {
  providers.world.answer("indexnow_yandex", answer);
  expect((await failureIn(indexNow(providers.api, "yandex").send(callOf({ urls, site })))).kind).toBe(kind);
  expect(providers.fakes.calls).toHaveLength(1);
});

test("host_not_verified: only sites that the account has verified are submitted", async () => {
  const channel = indexNow(providers.api, "bing");
  expect(await channel.refuses(targetOf({ site: null }))).toBe("host_not_verified");
  expect(await channel.refuses(targetOf({ site }))).toBeNull();
});

test("a lost answer: the list is sent again, which does no harm", async () => {
  expect(await indexNow(providers.api, "bing").lookUp!(callOf({ urls, site }))).toBe(false);
  expect(providers.fakes.calls).toEqual([]);
});
