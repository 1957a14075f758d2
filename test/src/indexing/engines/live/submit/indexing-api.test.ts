import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { indexingApi } from "../../../../../../src/indexing/engines/live/submit/indexing-api.ts";
import { DAY } from "../../../../../../src/platform/clock.ts";
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
import { googleError } from "../../../../../support/upstreams/google-error.ts";

const NAME = "indexing_api";

const providers = eachTest(startFakeProviders);
let channel: Channel;
let fetched: string[];

beforeEach(async () => {
  addOwnedSite(providers.world);
  fetched = [];
  channel = indexingApi(providers.api, async (url) => {
    fetched.push(url);
    return url === PAGES[0];
  });
});

const call = callOf({ urls: [PAGES[0]!] });
const send = () => channel.send(call);
const lookUp = () => channel.lookUp!(call);

test("200: published; the call as it is sent", async () => {
  expect(channel.batchSize).toBe(1);
  expect(await send()).toBe("published");
  expect(linesOf(providers.fakes, NAME)).toEqual(["POST /v3/urlNotifications:publish"]);
  const [seen] = providers.fakes.callsTo(NAME);
  expect(seen!.headers).toMatchObject({
    "content-type": "application/json",
    authorization: expect.stringMatching(/^Bearer ya29\./),
  });
  expect(JSON.parse(seen!.body)).toEqual({ url: PAGES[0], type: "URL_UPDATED" });
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual([PAGES[0]]);
});

test("not_eligible: a page that is neither a job posting nor a livestream, even on an owned site", async () => {
  expect(await channel.refuses(targetOf())).toBeNull();
  expect(await channel.refuses(targetOf({ url: PAGES[1]! }))).toBe("not_eligible");
  expect(fetched).toEqual(PAGES);
});

test("host_not_verified, host_not_connected, not_owner: refused without fetching the page", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBe("host_not_verified");
  expect(await channel.refuses(targetOf({ site: { ...SITE, connections: {} } }))).toBe("host_not_connected");
  providers.world.properties.set("https://www.example.com/", "siteFullUser");
  expect(await channel.refuses(targetOf())).toBe("not_owner");
  expect(fetched).toEqual([]);
});

test("the quota is 200 a day, in Californian days, for all sites together", () => {
  expect(channel.quota(targetOf())).toMatchObject({
    provider: NAME,
    isPerSite: false,
    daily: 200,
    zone: "America/Los_Angeles",
  });
});

const denied = (message: string, reason?: string) =>
  googleError(403, "PERMISSION_DENIED", message, reason === undefined ? [] : [{ reason }]);
const exhausted = (message: string) => googleError(429, "RESOURCE_EXHAUSTED", message);
const older = (status: number, reason: string) => ({ status, body: { error: { code: status, errors: [{ reason }] } } });
const OWNERSHIP = "Permission denied. Failed to verify the URL ownership.";
const UNUSED = "Indexing API has not been used in project 1 before or it is disabled.";

/** https://developers.google.com/search/apis/indexing-api/v3/core-errors */
testAnswers(
  NAME,
  [
    ["400 INVALID_ARGUMENT", googleError(400, "INVALID_ARGUMENT", "x"), "invalid_url", "url", "never"],
    ["401 UNAUTHENTICATED", googleError(401, "UNAUTHENTICATED", "x"), "unauthorized", "credential", "an hour"],
    ["402 quotaExceeded402", older(402, "quotaExceeded402"), "quota", "credential", "until midnight"],
    ["403, the ownership", denied(OWNERSHIP), "not_owner", "site", "never"],
    ["403 forbidden", older(403, "forbidden"), "not_owner", "site", "never"],
    ["403 within 200", { ...denied(OWNERSHIP), status: 200 }, "not_owner", "site", "never"],
    ["403, the API is off, in words", denied(UNUSED), "unauthorized", "credential", "an hour"],
    ["403 SERVICE_DISABLED", denied("x", "SERVICE_DISABLED"), "unauthorized", "credential", "an hour"],
    ["403 CONSUMER_SUSPENDED", denied("x", "CONSUMER_SUSPENDED"), "unauthorized", "credential", "an hour"],
    [
      "403 ACCESS_TOKEN_SCOPE_INSUFFICIENT",
      denied("x", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
      "unauthorized",
      "credential",
      "an hour",
    ],
    ["403 accessNotConfigured", older(403, "accessNotConfigured"), "unauthorized", "credential", "an hour"],
    ["403 accountDisabled", older(403, "accountDisabled"), "unauthorized", "credential", "an hour"],
    ["403 insufficientPermissions", older(403, "insufficientPermissions"), "unauthorized", "credential", "an hour"],
    ["403 dailyLimitExceeded", older(403, "dailyLimitExceeded"), "quota", "credential", "until midnight"],
    ["403 quotaExceeded", older(403, "quotaExceeded"), "quota", "credential", "until midnight"],
    ["403 rateLimitExceeded", older(403, "rateLimitExceeded"), "rate_limited", "credential", "a minute"],
    ["403 userRateLimitExceeded", older(403, "userRateLimitExceeded"), "rate_limited", "credential", "a minute"],
    ["404 NOT_FOUND", googleError(404, "NOT_FOUND", "x"), "refused", "provider", "no time"],
    ["429, without a word", exhausted("Quota exceeded"), "quota", "credential", "until midnight"],
    ["429, the day's", exhausted("limit 'Publish requests per day'"), "quota", "credential", "until midnight"],
    ["429, the minute's", exhausted("limit 'Requests per minute'"), "rate_limited", "credential", "a minute"],
    ["503 UNAVAILABLE", googleError(503, "UNAVAILABLE", "x"), "server_error", "provider", "no time"],
  ],
  {
    midnight: "2026-01-06T08:00:00Z",
    open({ api, world }) {
      const sites = twoSites((host) => ({ search_console: `http://${host}/` }));
      for (const { host } of sites) world.properties.set(`http://${host}/`, "siteOwner");
      return { channel: indexingApi(api, async () => true), sites };
    },
  },
);

test.each([
  ["200 without metadata", { status: 200, body: {} }],
  ["200 in HTML", { status: 200, body: "<html></html>" }],
])("%s is a bad_answer", async (_, answer) => {
  providers.world.answer(NAME, answer);
  expect((await failureIn(send())).kind).toBe("bad_answer");
});

test("a lost answer: the metadata tell whether the call arrived; an earlier notice does not count", async () => {
  providers.world.fail(NAME, { answer: "drop", times: 1 });
  expect((await failureIn(send())).mayHaveArrived).toBe(true);
  expect(await lookUp()).toBe(false);
  providers.world.fail(NAME, { answer: "drop", afterActing: true, times: 1 });
  await failureIn(send());
  expect(await lookUp()).toBe(true);
  const { path, query } = providers.fakes.callsTo(NAME).at(-1)!;
  expect([path, query.get("url")]).toEqual(["/v3/urlNotifications/metadata", PAGES[0]]);
  providers.clock.pass(4 * DAY);
  expect(await lookUp()).toBe(false);
});

test("a lookup that fails tells nothing about the call", async () => {
  providers.world.answer(NAME, { status: 500 });
  expect((await failureIn(lookUp())).kind).toBe("server_error");
});
