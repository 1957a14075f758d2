import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { bingWebmaster, findBingSite } from "../../../../../../src/indexing/engines/live/submit/bing-webmaster.ts";
import { nameOf } from "../../../../../../src/indexing/providers/quota.ts";
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
import { bingError } from "../../../../../support/upstreams/bing-webmaster.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const NAME = "bing_webmaster";
const KEY = secretOf("bing_webmaster");
const EXCEEDED = "You have exceeded your daily url submission quota : 10";

const providers = eachTest(startFakeProviders);
let channel: Channel;

beforeEach(async () => {
  addOwnedSite(providers.world);
  channel = bingWebmaster(providers.api, KEY);
});

test("200: accepted; the call as it is sent", async () => {
  expect(await channel.send(callOf())).toBeNull();
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
  expect(linesOf(providers.fakes, NAME)).toEqual([`POST /webmaster/api.svc/json/SubmitUrlbatch?apikey=${KEY}`]);
  const [call] = providers.fakes.calls;
  expect(call!.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(JSON.parse(call!.body)).toEqual({ siteUrl: "https://www.example.com/", urlList: PAGES });
});

test("quota: the failure says how many URLs Bing still takes today", async () => {
  providers.world.quotas.set(`${NAME} https://www.example.com/`, 1);
  const failure = await failureIn(channel.send(callOf()));
  expect(failure).toMatchObject({ kind: "quota", concerns: "site", left: 1, mayHaveArrived: false });
  expect(linesOf(providers.fakes, NAME)[1]).toContain("GET /webmaster/api.svc/json/GetUrlSubmissionQuota");
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual([]);
});

test("quota: where Bing does not say how many it takes, nothing is known", async () => {
  providers.world.quotas.set(`${NAME} https://www.example.com/`, 1);
  providers.world.fail(NAME, { answer: { status: 500 }, path: "GetUrlSubmissionQuota" });
  expect((await failureIn(channel.send(callOf()))).left).toBeUndefined();
});

testAnswers(
  NAME,
  [
    ["1 InternalError", bingError(1, "InternalError"), "server_error", "provider", "no time"],
    ["2 UnknownError", bingError(2, "UnknownError"), "server_error", "provider", "no time"],
    ["2, the day's quota", bingError(2, EXCEEDED), "quota", "site", "until midnight"],
    [
      "8, the day's quota",
      bingError(8, "Quota remaining for today: 0, Submitted: 5"),
      "quota",
      "site",
      "until midnight",
    ],
    ["3 InvalidApiKey", bingError(3, "InvalidApiKey"), "unauthorized", "credential", "an hour"],
    ["4 ThrottleUser", bingError(4, "ThrottleUser"), "rate_limited", "credential", "a minute"],
    ["5 ThrottleHost", bingError(5, "ThrottleHost"), "rate_limited", "site", "a minute"],
    ["6 UserBlocked", bingError(6, "UserBlocked"), "unauthorized", "credential", "an hour"],
    ["7 InvalidUrl", bingError(7, "InvalidUrl"), "invalid_url", "url", "never"],
    ["8 InvalidParameter", bingError(8, "InvalidParameter"), "invalid_url", "url", "never"],
    ["9 TooManySites", bingError(9, "TooManySites"), "unauthorized", "credential", "an hour"],
    ["10 UserNotFound", bingError(10, "UserNotFound"), "unauthorized", "credential", "an hour"],
    ["11 NotFound", bingError(11, "NotFound"), "host_not_connected", "site", "never"],
    ["12 AlreadyExists", bingError(12, "AlreadyExists"), "refused", "provider", "no time"],
    ["13 NotAllowed", bingError(13, "NotAllowed"), "host_not_connected", "site", "never"],
    ["14 NotAuthorized", bingError(14, "NotAuthorized"), "host_not_connected", "site", "never"],
    ["15 UnexpectedState", bingError(15, "UnexpectedState"), "server_error", "provider", "no time"],
    ["16 Deprecated", bingError(16, "Deprecated"), "refused", "provider", "no time"],
    ["a code that is not documented", bingError(99, "Other"), "refused", "url", "no time"],
    ["an error with status 200", bingError(14, "NotAuthorized", 200), "host_not_connected", "site", "never"],
    ["a code as text", bingError("14", "NotAuthorized"), "host_not_connected", "site", "never"],
    ["HTTP 401", { status: 401 }, "unauthorized", "credential", "an hour"],
    ["HTTP 429", { status: 429 }, "rate_limited", "credential", "a minute"],
    ["HTTP 503", { status: 503 }, "server_error", "provider", "no time"],
  ],
  {
    midnight: "2026-01-06T00:00:00Z",
    open({ api, world }) {
      const sites = twoSites((host) => ({ [NAME]: `http://${host}/` }));
      for (const { host } of sites) world.bingSites.add(`http://${host}/`);
      return { channel: bingWebmaster(api, KEY), sites };
    },
  },
);

test("a throttled call that says for how long is not repeated before that", async () => {
  providers.world.answer(NAME, { ...bingError(4, "ThrottleUser"), headers: { "Retry-After": "30" } });
  expect((await failureIn(channel.send(callOf()))).until).toBe(providers.clock.service() + 30_000);
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
  expect(nameOf(channel.quota(targetOf()))).toBe("bing_webmaster www.example.com");
  expect(nameOf(channel.quota(targetOf({ site: other })))).toBe("bing_webmaster other.example");
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
