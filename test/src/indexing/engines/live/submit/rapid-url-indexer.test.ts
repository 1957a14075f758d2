import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { rapidUrlIndexer } from "../../../../../../src/indexing/engines/live/submit/rapid-url-indexer.ts";
import { callOf, failureIn, linesOf, PAGES, targetOf } from "../../../../../support/indexing/channel-call.ts";
import { testAnswers } from "../../../../../support/indexing/documented-answers.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { rapidError } from "../../../../../support/upstreams/rapid-url-indexer.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const NAME = "rapid_url_indexer";
const CREATE = "POST /wp-json/api/v1/projects";
const BALANCE = "GET /wp-json/api/v1/credits/balance";
const LIST = "GET /wp-json/api/v1/projects/list";

const providers = eachTest(startFakeProviders);
let channel: Channel;

beforeEach(async () => {
  channel = rapidUrlIndexer(providers.api, secretOf("rapid_url_indexer"), 1);
});

test("201: accepted; the call as it is sent, with a name without special characters and our own User-Agent", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBeNull();
  expect(await channel.send(callOf({ site: null }))).toBeNull();
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE]);
  const [call] = providers.fakes.calls;
  expect(call!.headers).toMatchObject({
    "x-api-key": secretOf("rapid_url_indexer"),
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": expect.stringMatching(/^Beckon\//),
  });
  expect(JSON.parse(call!.body)).toEqual({
    project_name: "call0k1m2n3p4q5r6s7t8v9w",
    urls: PAGES,
    notify_on_status_change: false,
    apex_mode_enabled: false,
  });
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
});

test("instant: the call asks for apex mode", async () => {
  expect(await channel.send(callOf({ mode: "instant" }))).toBe("apex");
  expect(JSON.parse(providers.fakes.calls[0]!.body)).toMatchObject({ apex_mode_enabled: true });
});

test("403 with a balance that is too small: quota; apex needs three credits a URL", async () => {
  providers.world.credits.set(NAME, 5);
  const failure = await failureIn(channel.send(callOf({ mode: "instant" })));
  expect(failure).toMatchObject({ kind: "quota", left: 1, mayHaveArrived: false });
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, BALANCE]);
  expect(await channel.send(callOf())).toBeNull();
});

/** https://rapidurlindexer.com/indexing-api/ */
testAnswers(
  NAME,
  [
    ["400 Bad Request", rapidError(400, "invalid_urls"), "invalid_url", "url", "never"],
    ["401 Unauthorized", rapidError(401, "api_key"), "unauthorized", "credential", "an hour"],
    ["403 Forbidden, with enough credits", rapidError(403, "forbidden"), "unauthorized", "credential", "an hour"],
    ["404 Not Found", rapidError(404, "rest_no_route"), "refused", "provider", "no time"],
    ["429 Too Many Requests", rapidError(429, "too_many"), "rate_limited", "credential", "a minute"],
    ["503", rapidError(503, "x"), "server_error", "provider", "no time"],
  ],
  {
    midnight: "2026-01-06T00:00:00Z",
    open: ({ api }) => ({ channel: rapidUrlIndexer(api, secretOf(NAME), 1), sites: null }),
  },
);

test("403 for the balance too: unauthorized", async () => {
  providers.world.answer(NAME, rapidError(403, "forbidden"), 2);
  expect((await failureIn(channel.send(callOf()))).kind).toBe("unauthorized");
});

test.each([
  ["a 500", { status: 500 }, "server_error"],
  ["a connection that is dropped", "drop" as const, "bad_answer"],
  ["HTML in a 200", { status: 200, body: "<html></html>" }, "bad_answer"],
])(
  "403 and the balance cannot be read (%s): the cause stays unknown, but nothing was accepted",
  async (_, answer, kind) => {
    providers.world.answer(NAME, rapidError(403, "forbidden"), 1);
    providers.world.fail(NAME, { answer });
    expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind, mayHaveArrived: false });
  },
);

test.each([
  ["500", rapidError(500, "x"), "server_error"],
  ["200 that says it failed", { status: 200, body: { message: "Submission failed" } }, "bad_answer"],
  ["201 in HTML", { status: 201, body: "<html></html>" }, "bad_answer"],
  ["201 with nothing", { status: 201 }, "bad_answer"],
])("%s is %s, and may have arrived", async (_, answer, kind) => {
  providers.world.answer(NAME, answer);
  expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind, mayHaveArrived: true });
});

test("429: rate_limited, for as long as the provider says", async () => {
  providers.world.answer(NAME, { ...rapidError(429, "too_many"), headers: { "Retry-After": "60" } });
  const until = providers.clock.service() + 60_000;
  expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind: "rate_limited", until });
});

test("a lost answer is looked up by the name in the list of projects", async () => {
  await channel.send(callOf({ reference: "call_another" }));
  providers.world.fail(NAME, { answer: "drop", times: 1 });
  await failureIn(channel.send(callOf()));
  expect(await channel.lookUp!(callOf())).toBe(false);
  providers.world.fail(NAME, { answer: { status: 502 }, afterActing: true, times: 1 });
  expect((await failureIn(channel.send(callOf()))).mayHaveArrived).toBe(true);
  expect(await channel.lookUp!(callOf())).toBe(true);
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, CREATE, LIST, LIST, CREATE, LIST]);
});

test.each([
  ["500", { status: 500 }, "server_error"],
  ["no list", { status: 200, body: { success: false } }, "bad_answer"],
])("a lookup that fails tells nothing about the call: %s", async (_, answer, kind) => {
  providers.world.answer(NAME, answer);
  expect((await failureIn(channel.lookUp!(callOf()))).kind).toBe(kind);
});
