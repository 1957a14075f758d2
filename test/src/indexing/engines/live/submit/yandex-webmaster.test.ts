import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import {
  findYandexHost,
  yandexWebmaster,
} from "../../../../../../src/indexing/engines/live/submit/yandex-webmaster.ts";
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
import { secretOf } from "../../../../../support/upstreams/settings.ts";
import { yandexError } from "../../../../../support/upstreams/yandex-webmaster.ts";

const NAME = "yandex_webmaster";
const QUEUE = "/v4/user/4711/hosts/https%3Awww.example.com%3A443/recrawl/queue";

const providers = eachTest(startFakeProviders);
let channel: Channel;

beforeEach(async () => {
  addOwnedSite(providers.world);
  channel = yandexWebmaster(providers.api, secretOf("yandex_webmaster"));
});

const send = (url = PAGES[0]!) => channel.send(callOf({ urls: [url] }));
const inQueue = { path: "/queue" };

test("202: accepted; the user id is requested once; the calls as they are sent", async () => {
  expect([channel.batchSize, channel.concurrency]).toEqual([1, 4]);
  expect(await Promise.all(PAGES.map(send))).toEqual([null, null]);
  expect(linesOf(providers.fakes, NAME)).toEqual(["GET /v4/user", `POST ${QUEUE}`, `POST ${QUEUE}`]);
  const [user, call] = providers.fakes.calls;
  expect([user!.headers.authorization, call!.headers.authorization]).toEqual(
    Array(2).fill(`OAuth ${secretOf("yandex_webmaster")}`),
  );
  expect(JSON.parse(call!.body)).toEqual({ url: PAGES[0] });
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
});

test("409 URL_ALREADY_ADDED: accepted, so that a call whose answer was lost can be repeated", async () => {
  providers.world.fail(NAME, { answer: "drop", afterActing: true, times: 1, ...inQueue });
  expect(await failureIn(send())).toMatchObject({ mayHaveArrived: true });
  expect(await channel.lookUp!(callOf())).toBe(false);
  expect(await send()).toBe("already_queued");
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual([PAGES[0]]);
});

test("429 TOO_MANY_REQUESTS_ERROR: rate_limited, for as long as Yandex says", async () => {
  providers.world.answer(NAME, { ...yandexError(429, "TOO_MANY_REQUESTS_ERROR"), headers: { "Retry-After": "7" } });
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited", until: providers.clock.service() + 7_000 });
});

/** https://yandex.com/dev/webmaster/doc/en/reference/errors */
testAnswers(
  NAME,
  [
    ["400 ENTITY_VALIDATION_ERROR", yandexError(400, "ENTITY_VALIDATION_ERROR"), "invalid_url", "url", "never"],
    ["400 FIELD_VALIDATION_ERROR", yandexError(400, "FIELD_VALIDATION_ERROR"), "invalid_url", "url", "never"],
    ["400 INVALID_URL", yandexError(400, "INVALID_URL"), "invalid_url", "url", "never"],
    ["401 INVALID_OAUTH_TOKEN", yandexError(401, "INVALID_OAUTH_TOKEN"), "unauthorized", "credential", "an hour"],
    ["403 INVALID_OAUTH_TOKEN", yandexError(403, "INVALID_OAUTH_TOKEN"), "unauthorized", "credential", "an hour"],
    ["403 INVALID_USER_ID", yandexError(403, "INVALID_USER_ID"), "unauthorized", "credential", "an hour"],
    ["403 ACCESS_FORBIDDEN", yandexError(403, "ACCESS_FORBIDDEN"), "unauthorized", "credential", "an hour"],
    ["404 HOST_NOT_FOUND", yandexError(404, "HOST_NOT_FOUND"), "host_not_connected", "site", "never"],
    ["403 HOST_NOT_VERIFIED", yandexError(403, "HOST_NOT_VERIFIED"), "host_not_connected", "site", "never"],
    ["404 HOST_NOT_INDEXED", yandexError(404, "HOST_NOT_INDEXED"), "host_not_ready", "site", "until midnight"],
    ["404 HOST_NOT_LOADED", yandexError(404, "HOST_NOT_LOADED"), "host_not_ready", "site", "until midnight"],
    ["404 RESOURCE_NOT_FOUND", yandexError(404, "RESOURCE_NOT_FOUND"), "refused", "provider", "no time"],
    ["405 METHOD_NOT_ALLOWED", yandexError(405, "METHOD_NOT_ALLOWED"), "refused", "provider", "no time"],
    ["429 QUOTA_EXCEEDED", yandexError(429, "QUOTA_EXCEEDED"), "quota", "site", "until midnight"],
    [
      "429 TOO_MANY_REQUESTS_ERROR",
      yandexError(429, "TOO_MANY_REQUESTS_ERROR"),
      "rate_limited",
      "credential",
      "a minute",
    ],
    ["503", { status: 503 }, "server_error", "provider", "no time"],
    ["a code within 200", yandexError(200, "HOST_NOT_VERIFIED"), "host_not_connected", "site", "never"],
    ["a code that is not documented", yandexError(200, "SOMETHING_NEW"), "refused", "url", "no time"],
  ],
  {
    midnight: "2026-01-05T21:00:00Z",
    open({ api, world }) {
      const sites = twoSites((host) => ({ [NAME]: `http:${host}:80` }));
      for (const { host } of sites) world.yandexHosts.set(`http:${host}:80`, true);
      return { channel: yandexWebmaster(api, secretOf("yandex_webmaster")), sites };
    },
  },
);

test.each([
  ["an empty object", {}],
  ["a page of HTML", "<html></html>"],
])("202 with %s is a bad_answer", async (_, body) => {
  providers.world.fail(NAME, { answer: { status: 202, body }, ...inQueue });
  expect((await failureIn(send())).kind).toBe("bad_answer");
});

test("a user id that could not be read is requested again; the call itself was never made", async () => {
  providers.world.answer(NAME, { status: 502 }, 1);
  expect(await failureIn(send())).toMatchObject({ kind: "server_error", mayHaveArrived: false });
  expect(await send()).toBeNull();
});

test("host_not_verified, host_not_connected: URLs that the channel never takes; each host has its own quota", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBe("host_not_verified");
  expect(await channel.refuses(targetOf({ site: { ...SITE, connections: {} } }))).toBe("host_not_connected");
  expect(await channel.refuses(targetOf())).toBeNull();
  expect(channel.quota(targetOf())).toMatchObject({
    site: "www.example.com",
    isPerSite: true,
    zone: "Europe/Moscow",
  });
});

test("findYandexHost: returns the verified host, https before http, with its port", async () => {
  const { api, world } = providers;
  expect(await findYandexHost(api, "www.example.com")).toBe("https:www.example.com:443");
  world.yandexHosts.set("http:old.example:80", true).set("https:old.example:443", false);
  expect(await findYandexHost(api, "old.example")).toBe("http:old.example:80");
  world.yandexHosts.set("http:127.0.0.1:4010", true);
  expect(await findYandexHost(api, "127.0.0.1:4010")).toBe("http:127.0.0.1:4010");
  expect(await findYandexHost(api, "stranger.example")).toBeNull();
});

test("findYandexHost: an invalid token is not an answer about the host", async () => {
  providers.world.keys.set(NAME, "another");
  expect((await failureIn(findYandexHost(providers.api, "www.example.com"))).kind).toBe("unauthorized");
});
