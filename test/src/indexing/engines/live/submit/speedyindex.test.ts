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

const pages = (count: number) => Array.from({ length: count }, (_, i) => `https://example.com/${i}`);
const bodies = () => providers.fakes.calls.map(({ body }) => JSON.parse(body));
const answer = (code: number, more: object = {}) => ({ status: 200, body: { code, ...more } });

test("code 0: accepted; one task with the call's reference, charged by indexed page", async () => {
  expect(await channel.refuses(targetOf({ site: null }))).toBeNull();
  expect(await channel.send(callOf({ site: null }))).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE]);
  const [call] = providers.fakes.calls;
  expect(call!.headers).toMatchObject({ authorization: secretOf("speedyindex"), "content-type": "application/json" });
  expect(bodies()).toEqual([{ title: REFERENCE, urls: PAGES, pay_per_indexed: true }]);
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(PAGES);
});

test("instant: tasks of a hundred URLs, each moved to the VIP queue", async () => {
  const taken = await channel.send(callOf({ urls: pages(150), mode: "instant" }));
  expect(taken).toEqual(pages(150).map(() => ({ kind: "accepted", detail: "vip" })));
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, VIP, CREATE, VIP]);
  const [first, vip, second] = bodies();
  expect([first.urls.length, second.urls.length]).toEqual([100, 50]);
  expect([first.title, second.title]).toEqual([REFERENCE, `${REFERENCE} 1`]);
  expect(vip).toEqual({ task_id: expect.stringMatching(/^[0-9a-f]{24}$/) });
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
  const accepted = { kind: "accepted", detail: "vip_failed" };
  expect(await channel.send(callOf({ mode: "instant" }))).toEqual([accepted, accepted]);
  expect(linesOf(providers.fakes, NAME)).toEqual([CREATE, VIP]);
});

test.each([
  ["code 1: top up", answer(1), "quota", false],
  ["code -2: overloaded", answer(-2), "rate_limited", false],
  ["code 99: not documented", answer(99), "bad_answer", true],
  ["code 0 without a task", answer(0), "bad_answer", true],
  ["no code", { status: 200, body: {} }, "bad_answer", true],
  ["null", { status: 200, body: null }, "bad_answer", true],
  ["a page of HTML", { status: 200, body: "<html></html>" }, "bad_answer", true],
  ["401", { status: 401 }, "unauthorized", false],
  ["403: not allowed to", { status: 403 }, "unauthorized", false],
  ["429", { status: 429 }, "rate_limited", false],
  ["503: this mode is switched off", { status: 503 }, "server_error", false],
  ["502", { status: 502 }, "server_error", true],
])("%s is %s", async (_, failed, kind, mayHaveArrived) => {
  providers.world.answer(NAME, failed);
  expect(await failureIn(channel.send(callOf()))).toMatchObject({ kind, mayHaveArrived });
  expect(providers.fakes.calls).toHaveLength(1);
});

test("quota: credits that run out in the middle leave the rest for later", async () => {
  providers.world.credits.set(NAME, 250);
  const taken = await channel.send(callOf({ urls: pages(300), mode: "instant" }));
  expect(taken.filter(({ kind }) => kind === "accepted")).toHaveLength(100);
  expect(taken.slice(100)).toEqual(pages(200).map(() => ({ kind: "deferred", detail: "quota" })));
});

test("code 2: the one invalid URL is found and rejected, the others are sent in tasks of the same call", async () => {
  providers.world.invalid.add(pages(8)[5]!);
  const taken = await channel.send(callOf({ urls: pages(8) }));
  expect(taken.map(({ kind }) => kind)).toEqual(
    [..."aaaaa", "r", ..."aa"].map((k) => (k === "a" ? "accepted" : "rejected")),
  );
  expect(providers.world.urlsSubmittedTo(NAME)).toEqual(pages(8).filter((_, i) => i !== 5));
  for (const { title } of bodies()) expect(title.startsWith(REFERENCE)).toBe(true);
});

test("413: the list is sent in smaller parts", async () => {
  providers.world.answer(NAME, { status: 413, body: "<html></html>" }, 1);
  expect(await channel.send(callOf())).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
  expect(bodies().map(({ urls }) => urls.length)).toEqual([2, 1, 1]);
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

test("the outcome of a call is unknown if only some of its tasks arrived", async () => {
  const call = callOf({ urls: pages(150), mode: "instant" });
  providers.world.fail(NAME, { answer: "hang", times: 0 });
  await channel.send({ ...call, urls: pages(100) });
  expect(await channel.lookUp!(call)).toBeNull();
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
