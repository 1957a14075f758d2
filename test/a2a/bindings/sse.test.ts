import { once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startStream } from "../../../a2a/bindings/sse.ts";
import type { StreamResponse } from "../../../a2a/wire.ts";
import { a2aClient, allEvents, eventsOf, message, testA2a } from "../../support/a2a/test-bindings.ts";
import { rawClient } from "../../support/network/raw-client.ts";
import { allTests } from "../../support/service/each-test.ts";
import { eventually } from "../../support/service/eventually.ts";

const at = allTests(testA2a);
let key: string;
let client: ReturnType<typeof a2aClient>;

beforeEach(async () => {
  at.errors.length = 0;
  key = await at.key();
  client = a2aClient(at.url, key);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A task that works, and the stream of the message that began it. */
async function working(signal?: AbortSignal) {
  const response = await client.openRpc(
    "SendStreamingMessage",
    { message: message("tck-working") },
    signal ? { signal } : {},
  );
  const events = eventsOf(response);
  const first = (await events.next()).value as { result: { task: { id: string } } };
  return { response, events, id: first.result.task.id };
}

async function untilWaiting(count: number): Promise<void> {
  await eventually(() => expect(at.agent.waiting).toBe(count));
}

test("200: the headers keep proxies from caching or buffering the stream", async () => {
  const response = await client.openRpc("SendStreamingMessage", { message: message("tck-stream-001") });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "ratelimit-limit": "120",
  });
  const events = await allEvents(response);
  expect(events.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual(Array(4).fill(["2.0", 1]));
  expect(events.map(({ result }) => Object.keys(result))).toEqual([
    ...[["task"], ["statusUpdate"], ["artifactUpdate"], ["statusUpdate"]],
  ]);
});

test("200: an error before the first event is an ordinary JSON-RPC answer", async () => {
  for (const [method, params] of [
    ["SendStreamingMessage", { message: {} }],
    ["SubscribeToTask", { id: "nothing" }],
  ] as const) {
    const { status, headers, json } = await client.rpc(method, params);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(json.error.code).toBe(method === "SubscribeToTask" ? -32001 : -32602);
  }
});

test("500: a stream that fails before its first event, or has none, reveals no details", async () => {
  at.agent.failNext = new Error("secret path /srv/x.db");
  const { status, text } = await client.rpc("SendStreamingMessage", { message: message("tck-stream-001") });
  expect(status).toBe(500);
  expect(text).not.toContain("/srv");
  const stream = vi.spyOn(at.agent, "streamMessage");
  stream.mockImplementationOnce(async function* (): AsyncGenerator<StreamResponse> {});
  expect((await client.rpc("SendStreamingMessage", { message: message() })).status).toBe(500);
  expect(at.errors).toHaveLength(2);
});

test("an error in the middle of a stream is its last event, and reveals no details", async () => {
  at.agent.failStream = new Error("secret path /srv/x.db");
  const overRpc = await allEvents(await client.openRpc("SendStreamingMessage", { message: message("tck-stream-001") }));
  expect(overRpc).toMatchObject([{ result: { task: {} } }, { id: 1, error: { code: -32603 } }]);
  at.agent.failStream = new Error("secret path /srv/x.db");
  const overRest = await allEvents(
    await client.openRest("POST", "/message:stream", { message: message("tck-stream-001") }),
  );
  expect(overRest).toMatchObject([{ task: {} }, { error: { code: 500, status: "INTERNAL" } }]);
  expect(JSON.stringify([overRpc, overRest])).not.toContain("/srv");
  expect(at.errors).toHaveLength(2);
});

test("a quiet stream sends a comment every 15 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { events, id } = await working();
  await events.next();
  vi.advanceTimersByTime(14_999);
  at.agent.say(id, "before");
  expect(await events.next()).toMatchObject({ value: { result: { artifactUpdate: {} } } });
  vi.advanceTimersByTime(1);
  expect(await events.next()).toEqual({ done: false, value: ":" });
  at.agent.finish(id);
  expect(await events.next()).toMatchObject({ value: { result: { statusUpdate: {} } } });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

test("a client that disconnects is released at once, without affecting others", async () => {
  const abort = new AbortController();
  const leaving = await working(abort.signal);
  const other = eventsOf(await client.openRest("GET", `/tasks/${leaving.id}:subscribe`));
  await other.next();
  await untilWaiting(2);
  abort.abort();
  await untilWaiting(1);
  at.agent.finish(leaving.id);
  expect(await other.next()).toMatchObject({ value: { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } } });
  expect(await other.next()).toMatchObject({ done: true });
  expect(at.errors).toEqual([]);
});

test("a client that disconnects while it waits for its answer is released at once too", async () => {
  const abort = new AbortController();
  const asked = client.rpc("SendMessage", { message: message("tck-working") }, { signal: abort.signal });
  await untilWaiting(1);
  abort.abort();
  await expect(asked).rejects.toThrow();
  await untilWaiting(0);
  expect(at.agent.calls.at(-1)!.signal.aborted).toBe(true);
  expect(at.errors).toEqual([]);
});

test("law: a source that ignores the abort signal is released too", async () => {
  const [abort, returned] = [new AbortController(), vi.fn(async () => ({ done: true as const, value: undefined }))];
  const deaf = { next: () => new Promise<never>(() => undefined), return: returned };
  const begun = startStream({ [Symbol.asyncIterator]: () => deaf }, abort.signal);
  abort.abort();
  await expect(begun).rejects.toThrow("aborted");
  expect(returned).toHaveBeenCalledOnce();
});

test("503: streams end when the service stops, and new requests are refused", async () => {
  const own = await testA2a();
  const stopping = a2aClient(own.url, await own.key());
  const events = eventsOf(await stopping.openRpc("SendStreamingMessage", { message: message("tck-working") }));
  await events.next();
  await events.next();
  const blocked = stopping.rest("POST", "/message:stream", { message: message("tck-working") });
  await eventually(() => expect(own.agent.waiting).toBe(2));
  own.stopping.abort();
  expect(await events.next()).toMatchObject({ done: true });
  expect((await blocked).status).toBe(200);
  const late = await stopping.openRpc("SendStreamingMessage", { message: message("tck-working") });
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "2"]);
  await late.text();
  await own.close();
});

test("law: the next event is read only when the client has room for it", async () => {
  let asked = 0;
  vi.spyOn(at.agent, "streamMessage").mockImplementation(async function* (): AsyncGenerator<StreamResponse> {
    const text = "x".repeat(1_000_000);
    for (; asked < 500; asked++) {
      const artifact = { artifactId: "a", parts: [{ text }] };
      yield { artifactUpdate: { taskId: "t", contextId: "c", artifact } };
    }
  });
  const body = JSON.stringify({ message: message() });
  const head = ["POST /a2a/message:stream HTTP/1.1", "host: x", "a2a-version: 1.0", "content-type: application/json"];
  const raw = await rawClient(at.url, [...head, `authorization: Bearer ${key}`, `content-length: ${body.length}`]);
  raw.socket.write(body);
  await once(raw.socket, "data");
  raw.socket.pause();
  await eventually(() => expect(asked).toBeGreaterThan(1));
  let before = -1;
  // It stands still once the buffers on the way are full, long before the end.
  await vi.waitFor(
    () => {
      const now = asked;
      const isStill = now === before;
      before = now;
      expect(isStill).toBe(true);
    },
    { interval: 100, timeout: 30_000 },
  );
  expect(asked).toBeLessThan(100);
  raw.socket.destroy();
});

test("law: after 1,000 streams were opened and closed no listener or timer is left", async () => {
  const own = await testA2a();
  const added = vi.spyOn(own.stopping.signal, "addEventListener");
  const removed = vi.spyOn(own.stopping.signal, "removeEventListener");
  const keys = await Promise.all(Array.from({ length: 10 }, () => own.key()));
  for (const [turn, one] of keys.entries()) {
    const many = a2aClient(own.url, one);
    const streams = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const abort = new AbortController();
        const options = { signal: abort.signal };
        const response = await many.openRpc("SendStreamingMessage", { message: message("tck-working") }, options);
        await response.body!.getReader().read();
        return abort;
      }),
    );
    for (const abort of streams) abort.abort();
    await eventually(() => expect(own.agent.waiting, `turn ${turn}`).toBe(0));
  }
  await eventually(() => expect(removed.mock.calls.length).toBe(added.mock.calls.length));
  expect(added).toHaveBeenCalledTimes(1_000);
  expect(own.agent.calls.every(({ signal }) => signal.aborted)).toBe(true);
  await own.close();
}, 60_000);
