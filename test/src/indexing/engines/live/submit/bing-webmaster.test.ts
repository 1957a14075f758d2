import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { bingWebmaster, findBingSite } from "../../../../../../src/indexing/engines/live/submit/bing-webmaster.ts";
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
import { bingError } from "../../../../../support/upstreams/bing-webmaster.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const NAME = "bing_webmaster";
const KEY = secretOf("bing_webmaster");

const providers = eachTest(startFakeProviders);
let channel: Channel;

beforeEach(async () => {
  addOwnedSite(providers.world);
  channel = bingWebmaster(providers.api, KEY);
});

test("200: accepted; the call as it is sent", async () => {
  expect(await channel.send(callOf())).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
  expect(linesOf(providers.fakes, NAME)).toEqual([`POST /webmaster/api.svc/json/SubmitUrlbatch?apikey=${KEY}`]);
  const [call] = providers.fakes.calls;
  expect(call!.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(JSON.parse(call!.body)).toEqual({ siteUrl: "https://www.example.com/", urlList: PAGES });
});

test("quota: the URLs of the day are used up, until midnight UTC", async () => {
  providers.world.quotas.set(`${NAME} https://www.example.com/`, 1);
  const failure = await failureIn(channel.send(callOf()));
  expect(failure).toMatchObject({ kind: "quota", until: Date.parse("2026-01-06T00:00:00Z"), mayHaveArrived: false });
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual([]);
});

test.each([
  [1, "InternalError", "server_error"],
  [2, "UnknownError", "server_error"],
  [3, "InvalidApiKey", "unauthorized"],
  [4, "ThrottleUser", "rate_limited"],
  [5, "ThrottleHost", "rate_limited"],
  [6, "UserBlocked", "unauthorized"],
  [8, "InvalidParameter", "refused"],
  [9, "TooManySites", "refused"],
  [10, "UserNotFound", "unauthorized"],
  [13, "NotAllowed", "unauthorized"],
  [14, "NotAuthorized", "unauthorized"],
  [16, "Deprecated", "refused"],
])("ErrorCode %i %s is %s, with 400 and with 200, as a number and as text", async (code, message, kind) => {
  for (const status of [400, 200]) {
    for (const spelled of [code, String(code)]) {
      providers.world.answer(NAME, bingError(spelled, message, status), 1);
      expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind });
    }
  }
});

test("a throttled call that says for how long is not repeated before that", async () => {
  providers.world.answer(NAME, { ...bingError(4, "ThrottleUser"), headers: { "Retry-After": "30" } });
  expect((await failureIn(channel.send(callOf()))).until).toBe(providers.clock.service() + 30_000);
});

test("InvalidUrl: the one invalid URL is found and rejected, the others are sent", async () => {
  const urls = Array.from({ length: 100 }, (_, i) => `https://www.example.com/${i}`);
  providers.world.invalid.add(urls[37]!);
  const taken = await channel.send(callOf({ urls }));
  expect(taken).toHaveLength(100);
  expect(taken[37]).toEqual({ kind: "rejected", detail: "invalid_url" });
  expect(taken.filter(({ kind }) => kind === "accepted")).toHaveLength(99);
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(urls.filter((_, i) => i !== 37));
});

test.each([
  ["an empty object", {}],
  ["nothing", ""],
  ["a page of HTML", "<html></html>"],
])("200 with %s is a bad_answer", async (_, body) => {
  providers.world.answer(NAME, { status: 200, body });
  expect((await failureIn(channel.send(callOf()))).kind).toBe("bad_answer");
});

test("host_not_verified, host_not_connected: URLs that the channel never takes", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBe("host_not_verified");
  expect(await channel.refuses(targetOf({ site: { ...SITE, connections: {} } }))).toBe("host_not_connected");
  expect(await channel.refuses(targetOf())).toBeNull();
});

test("each site has a quota of its own", () => {
  const other = { ...SITE, host: "other.example" };
  expect(channel.quota(targetOf()).name).toBe("bing_webmaster www.example.com");
  expect(channel.quota(targetOf({ site: other })).name).toBe("bing_webmaster other.example");
});

test("a lost answer cannot be looked up, and a repetition would cost quota again", () => {
  expect(channel.lookUp).toBeUndefined();
});

test("findBingSite: returns the account's site for the host, https before http", async () => {
  const { api, world } = providers;
  expect(await findBingSite(api, "www.example.com")).toBe("https://www.example.com/");
  world.bingSites.add("http://old.example/");
  expect(await findBingSite(api, "old.example")).toBe("http://old.example/");
  expect(await findBingSite(api, "stranger.example")).toBeNull();
  expect(linesOf(providers.fakes, NAME)[0]).toBe(
    `GET /webmaster/api.svc/json/GetUrlSubmissionQuota?apikey=${KEY}&siteUrl=https%3A%2F%2Fwww.example.com%2F`,
  );
});

test("findBingSite: an invalid key is not an answer about the host", async () => {
  providers.world.keys.set(NAME, "another");
  expect((await failureIn(findBingSite(providers.api, "www.example.com"))).kind).toBe("unauthorized");
});
