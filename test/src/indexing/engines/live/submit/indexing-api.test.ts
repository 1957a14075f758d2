import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { indexingApi } from "../../../../../../src/indexing/engines/live/submit/indexing-api.ts";
import { DAY, MINUTE } from "../../../../../../src/platform/clock.ts";
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
import { googleError } from "../../../../../support/upstreams/google-error.ts";

const NAME = "indexing_api";
const CALIFORNIAN_MIDNIGHT = Date.parse("2026-01-06T08:00:00Z");

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
  expect(await send()).toEqual([{ kind: "accepted", detail: "published" }]);
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
  expect(channel.quota(targetOf())).toMatchObject({ name: NAME, daily: 200, zone: "America/Los_Angeles" });
});

test("429: the quota of a day is used up until midnight in California, the quota of a minute for a minute", async () => {
  providers.world.quotas.set(NAME, 0);
  expect(await failureIn(send())).toMatchObject({ kind: "quota", until: CALIFORNIAN_MIDNIGHT, mayHaveArrived: false });
  providers.world.answer(NAME, googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded"), 1);
  expect(await failureIn(send())).toMatchObject({ kind: "quota", until: CALIFORNIAN_MIDNIGHT });
  providers.world.answer(NAME, googleError(429, "RESOURCE_EXHAUSTED", "limit 'Requests per minute'"), 1);
  const until = providers.clock.service() + MINUTE;
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited", until });
});

test("403: ownership that Google cannot verify is unauthorized", async () => {
  providers.world.properties.clear();
  expect((await failureIn(send())).kind).toBe("unauthorized");
});

test.each([
  ["400", googleError(400, "INVALID_ARGUMENT", "x"), "refused"],
  ["200 without metadata", { status: 200, body: {} }, "bad_answer"],
  ["200 in HTML", { status: 200, body: "<html></html>" }, "bad_answer"],
  ["200 with an error in it", { ...googleError(403, "PERMISSION_DENIED", "x"), status: 200 }, "unauthorized"],
])("%s is a failure", async (_, answer, kind) => {
  providers.world.answer(NAME, answer);
  expect((await failureIn(send())).kind).toBe(kind);
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
