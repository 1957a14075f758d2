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
} from "../../../../../support/indexing/channel-call.ts";
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
  expect(await Promise.all(PAGES.map(send))).toEqual([[{ kind: "accepted" }], [{ kind: "accepted" }]]);
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
  expect(await send()).toEqual([{ kind: "accepted", detail: "already_queued" }]);
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual([PAGES[0]]);
});

test("429 QUOTA_EXCEEDED: quota, until midnight in Moscow", async () => {
  providers.world.answer(NAME, yandexError(429, "QUOTA_EXCEEDED"));
  expect(await failureIn(send())).toMatchObject({ kind: "quota", until: Date.parse("2026-01-05T21:00:00Z") });
});

test("quota_remainder 0: the next call is not made before midnight in Moscow", async () => {
  providers.world.quotas.set(`${NAME} https:www.example.com:443`, 1);
  expect(await send()).toEqual([{ kind: "accepted" }]);
  const before = providers.fakes.calls.length;
  const until = Date.parse("2026-01-05T21:00:00Z");
  expect(await failureIn(send(PAGES[1]))).toMatchObject({ kind: "quota", until, mayHaveArrived: false });
  expect(providers.fakes.calls).toHaveLength(before);
  providers.clock.pass(until - providers.clock.service());
  expect(await send(PAGES[1])).toEqual([{ kind: "accepted" }]);
});

test("429 TOO_MANY_REQUESTS_ERROR: rate_limited, for as long as Yandex says", async () => {
  providers.world.answer(NAME, { ...yandexError(429, "TOO_MANY_REQUESTS_ERROR"), headers: { "Retry-After": "7" } });
  expect(await failureIn(send())).toMatchObject({ kind: "rate_limited", until: providers.clock.service() + 7_000 });
});

test.each([
  [400, "INVALID_URL", "invalid_url"],
  [404, "HOST_NOT_FOUND", "host_not_connected"],
  [404, "HOST_NOT_VERIFIED", "host_not_connected"],
  [404, "HOST_NOT_INDEXED", "host_not_ready"],
  [404, "HOST_NOT_LOADED", "host_not_ready"],
])("%i %s: rejected, %s, whatever the status", async (status, code, detail) => {
  providers.world.fail(NAME, { answer: yandexError(status, code), times: 1, ...inQueue });
  providers.world.fail(NAME, { answer: yandexError(200, code), times: 1, ...inQueue });
  expect(await send()).toEqual([{ kind: "rejected", detail }]);
  expect(await send()).toEqual([{ kind: "rejected", detail }]);
});

test.each([
  [401, "INVALID_OAUTH_TOKEN", "unauthorized"],
  [403, "INVALID_OAUTH_TOKEN", "unauthorized"],
  [403, "INVALID_USER_ID", "unauthorized"],
  [403, "ACCESS_FORBIDDEN", "unauthorized"],
  [200, "ACCESS_FORBIDDEN", "unauthorized"],
  [400, "ENTITY_VALIDATION_ERROR", "refused"],
  [400, "FIELD_VALIDATION_ERROR", "refused"],
  [200, "SOMETHING_NEW", "refused"],
])("%i %s is %s", async (status, code, kind) => {
  providers.world.fail(NAME, { answer: yandexError(status, code), ...inQueue });
  expect((await failureIn(send())).kind).toBe(kind);
});

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
  expect(await send()).toEqual([{ kind: "accepted" }]);
});

test("host_not_verified, host_not_connected: URLs that the channel never takes; each host has its own quota", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBe("host_not_verified");
  expect(await channel.refuses(targetOf({ site: { ...SITE, connections: {} } }))).toBe("host_not_connected");
  expect(await channel.refuses(targetOf())).toBeNull();
  expect(channel.quota(targetOf())).toMatchObject({ name: `${NAME} www.example.com`, zone: "Europe/Moscow" });
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
