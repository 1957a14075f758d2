import { beforeEach, expect, test } from "vitest";
import type { Channel } from "../../../../../../src/indexing/engines/live/channel.ts";
import { speedyIndex } from "../../../../../../src/indexing/engines/live/submit/speedyindex.ts";
import { DAY } from "../../../../../../src/platform/clock.ts";
import {
  callOf,
  failureIn,
  linesOf,
  PAGES,
  REFERENCE,
  targetOf,
} from "../../../../../support/indexing/channel-call.ts";
import { testAnswers } from "../../../../../support/indexing/documented-answers.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { secretOf } from "../../../../../support/upstreams/settings.ts";

const NAME = "speedyindex";
const CREATE = "POST /v2/task/google/indexer/create";
const VIP = "POST /v2/task/google/indexer/vip";

const providers = eachTest(startFakeProviders);
let channel: Channel;

beforeEach(async () => {
  channel = speedyIndex(providers.api, secretOf("speedyindex"), 1);
});

const bodies = () => providers.fakes.calls.map(({ body }) => JSON.parse(body));
const answer = (code: number, more: object = {}) => ({ status: 200, body: { code, ...more } });

test("code 0: accepted; one task with the call's reference, charged by indexed page", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBeNull();
  expect(await channel.send(callOf({ site: null }))).toBeNull();
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE]);
  const [call] = providers.fakes.calls;
  expect(call!.headers).toMatchObject({ authorization: secretOf("speedyindex"), "content-type": "application/json" });
  expect(bodies()).toEqual([{ title: REFERENCE, urls: PAGES, pay_per_indexed: true }]);
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
});

test("instant: tasks of at most a hundred URLs, each moved to the VIP queue", async () => {
  expect(channel.instantBatchSize).toBe(100);
  expect(await channel.send(callOf({ mode: "instant" }))).toBe("vip");
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, VIP]);
  expect(bodies()[1]).toEqual({ task_id: expect.stringMatching(/^[0-9a-f]{24}$/) });
});

test.each([
  ["code 1", answer(1)],
  ["code -2", answer(-2)],
  ["code -3", answer(-3)],
  ["code -5", answer(-5)],
  ["500", { status: 500 }],
  ["a page of HTML", { status: 200, body: "<html></html>" }],
  ["a connection that is dropped", "drop" as const],
])("VIP, %s: the task stays created, and the detail says that it is not in the VIP queue", async (_, failed) => {
  providers.world.fail(NAME, { answer: failed, path: "/vip" });
  expect(await channel.send(callOf({ mode: "instant" }))).toBe("vip_failed");
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, VIP]);
});

testAnswers(
  NAME,
  [
    ["code 1: top up", answer(1), "quota", "credential", "until midnight"],
    ["code 2: a bad URL", answer(2), "invalid_url", "url", "never"],
    ["code -2: overloaded", answer(-2), "rate_limited", "credential", "a minute"],
    ["401", { status: 401 }, "unauthorized", "credential", "an hour"],
    ["403: not allowed to", { status: 403 }, "unauthorized", "credential", "an hour"],
    ["413: too many URLs", { status: 413, body: "<html></html>" }, "refused", "url", "no time"],
    ["429", { status: 429 }, "rate_limited", "credential", "a minute"],
    ["503: this mode is switched off", { status: 503 }, "server_error", "provider", "no time"],
  ],
  {
    midnight: "2026-01-06T00:00:00Z",
    open: ({ api }) => ({ channel: speedyIndex(api, secretOf(NAME), 1), sites: null }),
  },
);

test.each([
  ["code 99: not documented", answer(99), "bad_answer"],
  ["code 0 without a task", answer(0), "bad_answer"],
  ["no code", { status: 200, body: {} }, "bad_answer"],
  ["null", { status: 200, body: "null" }, "bad_answer"],
  ["a page of HTML", { status: 200, body: "<html></html>" }, "bad_answer"],
  ["502", { status: 502 }, "server_error"],
])("%s is %s, and may have arrived", async (_, failed, kind) => {
  providers.world.answer(NAME, failed);
  expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind, mayHaveArrived: true });
  expect(providers.fakes.calls).toHaveLength(1);
});

test("code 1: the failure says how many links the balance pays for", async () => {
  providers.world.credits.set(NAME, 1);
  expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind: "quota", left: 1, mayHaveArrived: false });
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, "GET /v2/account"]);
});

const lose = (afterActing: boolean, path?: string) =>
  providers.world.fail(NAME, { answer: "drop", afterActing, times: 1, ...(path ? { path } : {}) });

test("a lost answer is looked up by the title", async () => {
  await channel.send(callOf({ reference: "call_another" }));
  lose(true);
  expect((await failureIn(channel.send(callOf()))).mayHaveArrived).toBe(true);
  expect(await channel.lookUp!(callOf())).toBe(true);
  expect(linesOf(providers.fakes, NAME).at(-1)).toBe("GET /v2/task/google/indexer/list/0");
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual([...PAGES, ...PAGES]);
});

test("a call that never arrived is not in the list, not at the second lookup either", async () => {
  await channel.send(callOf({ reference: `${REFERENCE}x` }));
  lose(false);
  await failureIn(channel.send(callOf()));
  expect(await channel.lookUp!(callOf())).toBe(false);
  expect(linesOf(providers.fakes, NAME).filter((line) => line.startsWith("GET"))).toHaveLength(2);
});

test("a call that arrives late is found by the second lookup", async () => {
  providers.world.answer(NAME, answer(0, { page: 0, last_page: 0, result: [] }), 1);
  const arriving = providers.world.fail.bind(providers.world);
  arriving(NAME, { answer: "drop", afterActing: true, times: 1, path: "/create" });
  const looking = speedyIndex(providers.api, secretOf("speedyindex"), 400).lookUp!(callOf());
  await expect.poll(() => providers.fakes.calls.length).toBe(1);
  await failureIn(channel.send(callOf()));
  expect(await looking).toBe(true);
});

const task = (title: string, created_at: string) => ({ id: "x", size: 1, title, type: "google/indexer", created_at });
const listOf = (created_at: string) => answer(0, { page: 0, last_page: 99, result: [task("call_other", created_at)] });

test("the list is read back at most two days and five pages; beyond that the outcome is unknown", async () => {
  const at = (age: number) => new Date(providers.clock.service() - age).toISOString();
  providers.world.answer(NAME, listOf(at(3 * DAY)), 2);
  expect(await channel.lookUp!(callOf())).toBe(false);
  expect(providers.fakes.calls).toHaveLength(2);
  providers.world.answer(NAME, listOf(at(DAY)));
  expect(await channel.lookUp!(callOf())).toBeNull();
  expect(linesOf(providers.fakes, NAME).at(-1)).toBe("GET /v2/task/google/indexer/list/4");
});

test.each([
  ["500", { status: 500 }, "server_error"],
  ["a code", answer(-2), "rate_limited"],
  ["no list", answer(0), "bad_answer"],
])("a lookup that fails tells nothing about the call: %s", async (_, failed, kind) => {
  providers.world.answer(NAME, failed);
  expect((await failureIn(channel.lookUp!(callOf()))).kind).toBe(kind);
});
