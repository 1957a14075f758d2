import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OwnedSite } from "../../../../../../src/indexing/engines/engine.ts";
import { indexNow } from "../../../../../../src/indexing/engines/live/submit/indexnow.ts";
import { callOf, failureIn, linesOf, targetOf } from "../../../../../support/indexing/channel-call.ts";
import { type DocumentedAnswer, testAnswers } from "../../../../../support/indexing/documented-answers.ts";
import { type FakeProviders, startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { type KeyHost, keyHost, page } from "../../../../../support/network/key-host.ts";
import { indexNowError } from "../../../../../support/upstreams/indexnow.ts";

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

/** What both engines document. */
const COMMON: readonly DocumentedAnswer[] = [
  ["400 Bad request", { status: 400 }, "invalid_url", "url", "never"],
  ["403 Forbidden", { status: 403 }, "key_not_accepted", "site", "never"],
  ["405 Method not allowed", { status: 405 }, "refused", "provider", "no time"],
  ["422 Unprocessable entity", { status: 422 }, "url_not_of_host", "url", "never"],
  ["429 Too many requests", { status: 429 }, "rate_limited", "site", "a minute"],
  ["503", { status: 503 }, "server_error", "provider", "no time"],
];

const bing = indexNowError;
const BING: readonly DocumentedAnswer[] = [
  ...COMMON,
  ["SiteVerificationNotCompleted", bing(403, "SiteVerificationNotCompleted"), "key_pending", "site", "a minute"],
  ["UserForbiddedToAccessSite", bing(403, "UserForbiddedToAccessSite"), "key_refused", "site", "never"],
  ["KeyNotFound", bing(403, "KeyNotFound"), "key_not_accepted", "site", "never"],
  ["InvalidRequestParameters of a URL", bing(400, "InvalidRequestParameters"), "invalid_url", "url", "never"],
  [
    "InvalidRequestParameters of the key's address",
    bing(400, "InvalidRequestParameters", [{ target: "keyLocation", message: "Keylocation url is invalid." }]),
    "key_not_accepted",
    "site",
    "never",
  ],
  ["InvalidRequestParameters of the host", bing(422, "InvalidRequestParameters"), "url_not_of_host", "url", "never"],
];

const yandex = (status: number, message: string) => ({ status, body: { success: false, message } });
/** https://yandex.com/support/webmaster/en/indexnow/reference */
const YANDEX: readonly DocumentedAnswer[] = [
  ...COMMON,
  ["403 Invalid key", yandex(403, "Invalid key"), "key_not_accepted", "site", "never"],
  ["422 Invalid url", yandex(422, "Invalid url"), "url_not_of_host", "url", "never"],
  ["422 Invalid key location", yandex(422, "Invalid key location"), "key_not_accepted", "site", "never"],
  [
    "422 Key must be at least 8 characters",
    yandex(422, "Key must be at least 8 characters"),
    "key_not_accepted",
    "site",
    "never",
  ],
  [
    "422 Key must be no longer than 128 characters",
    yandex(422, "Key must be no longer than 128 characters"),
    "key_not_accepted",
    "site",
    "never",
  ],
  [
    "422 Key must consist of",
    yandex(422, "Key must consist of a-Z, 0-9 and '-' characters"),
    "key_not_accepted",
    "site",
    "never",
  ],
];

test.each(LANES)("%s, 200: accepted, after the engine has read the key file", async (lane, name) => {
  const channel = indexNow(providers.api, lane);
  expect([channel.name, channel.lane, channel.perHost]).toEqual([name, lane, true]);
  expect(await channel.send(callOf({ urls, site }))).toBeNull();
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
  const failure = await failureIn(indexNow(providers.api, lane).send(callOf({ urls, site })));
  expect(failure).toMatchObject({ kind: "key_not_accepted", concerns: "site", retry: "never" });
});

test.each(LANES)("%s, 422: URLs of another host are refused", async (lane) => {
  const failure = await failureIn(
    indexNow(providers.api, lane).send(callOf({ urls: ["http://other.example/"], site })),
  );
  expect(failure).toMatchObject({ kind: "url_not_of_host", concerns: "url", retry: "never" });
});

test.each(LANES)("%s, 202: accepted, the key is checked later", async (lane, name) => {
  providers.world.answer(name, { status: 202, body: "" });
  expect(await indexNow(providers.api, lane).send(callOf({ urls, site }))).toBe("key_pending");
});

test.each(LANES)("%s, 429: rate_limited, for as long as the engine says", async (lane, name) => {
  providers.world.answer(name, { status: 429, headers: { "Retry-After": "120" } });
  const failure = await failureIn(indexNow(providers.api, lane).send(callOf({ urls, site })));
  expect(failure).toMatchObject({ kind: "rate_limited", until: providers.clock.service() + 120_000 });
  expect(failure.mayHaveArrived).toBe(false);
});

test.each([
  ["200 that says it failed", { status: 200, body: { success: false, message: "Invalid key" } }, "refused"],
  ["200 with a page of HTML", { status: 200, body: "<html>are you a robot?</html>" }, "bad_answer"],
  ["302, which is not followed", { status: 302, headers: { Location: "/elsewhere" } }, "bad_answer"],
])("%s is a failure", async (_, answer, kind) => {
  providers.world.answer("indexnow_yandex", answer);
  expect((await failureIn(indexNow(providers.api, "yandex").send(callOf({ urls, site })))).kind).toBe(kind);
  expect(providers.fakes.calls).toHaveLength(1);
});

describe.each([
  ["indexnow_bing", "bing", BING],
  ["indexnow_yandex", "yandex", YANDEX],
] as const)("the answers of %s", (name, lane, table) => {
  testAnswers(name, table, {
    midnight: "2026-01-06T00:00:00Z",
    async open({ api }) {
      website.answer = page(KEY);
      const hosts = [website.host, website.host.replace("127.0.0.1", "localhost")];
      const [a, b] = hosts.map((host) => ({ ...site, host, keyUrl: `http://${host}/${KEY}.txt` }));
      return { channel: indexNow(api, lane), sites: [a!, b!] };
    },
  });
});

test("what concerns a key does not concern another key of the same host", () => {
  const channel = indexNow(providers.api, "bing");
  const other = { ...site, keyUrl: `http://${website.host}/fedcba9876543210.txt` };
  expect(channel.quota(targetOf({ site })).site).not.toBe(channel.quota(targetOf({ site: other })).site);
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
