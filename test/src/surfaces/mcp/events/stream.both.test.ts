import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { MAX_STREAMS } from "../../../../../src/contract/stream-limits.ts";
import { revokeKeyOf } from "../../../../../src/domain/credentials/keys.ts";
import { type OpenedStream, openStream } from "../../../../support/mcp/event-stream.ts";
import { eventsInEachTest, low, settled } from "../../../../support/mcp/events.ts";
import { message, modern, poster } from "../../../../support/mcp/post.ts";
import { eventually } from "../../../../support/service/eventually.ts";
import { manualTimers } from "../../../../support/service/manual-timers.ts";
import { testService } from "../../../../support/service/service.ts";

const timers = manualTimers();
const service = await testService({ every: timers.every });
afterAll(() => service.close());
const { db, clock } = service;
const events = eventsInEachTest(service);

type Era = (params: object) => { readonly body: object; readonly headers: Record<string, string> };

const ERAS: Readonly<Record<"2026-07-28" | "2025-11-25", Era>> = {
  "2026-07-28": (params: object) => modern(message("events/stream", params, 7)),
  "2025-11-25": (params: object) => ({
    body: message("events/stream", params, 7),
    headers: { "MCP-Protocol-Version": "2025-11-25" },
  }),
};
const opened: OpenedStream[] = [];
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await eventually(() => expect(timers.running).toBe(0));
});

async function stream(params: object = {}, { era = ERAS["2026-07-28"], url = service.url } = {}) {
  const request = era({ name: "links.settled", ...params });
  const one = await openStream(url, { ...request, key: events.account.key });
  opened.push(one);
  await eventually(() => expect(one.named("active").length).toBeGreaterThan(0));
  return one;
}

const idsOf = (one: OpenedStream) => one.named("event").map(({ params }) => params.eventId as string);

describe.each(Object.entries(ERAS))("%s", (_, era) => {
  test("law: a stream begins now, and tells each event with the cursor after it", async () => {
    await events.record([settled()]);
    const one = await stream({}, { era });
    expect(one.headers.get("content-type")).toBe("text/event-stream");
    expect(one.named("active")[0]!.params).toMatchObject({ truncated: false, cursor: expect.stringMatching(/^cur_/) });
    await events.record([settled(), low, settled()]);
    await timers.fire();
    await eventually(() => expect(idsOf(one)).toHaveLength(2));
    await timers.fire();
    const about = one.messages.map(({ params }) => params?._meta["io.modelcontextprotocol/subscriptionId"]);
    expect(new Set(about)).toEqual(new Set([7]));
    const [first] = one.named("event");
    const { result } = await events.call("poll", { name: "links.settled", cursor: first!.params.cursor });
    expect(result.events.map(({ eventId }: { eventId: string }) => eventId)).toEqual([idsOf(one)[1]]);
  });

  test("law: it ends when its credential is revoked, and says why", async () => {
    const one = await stream({}, { era });
    const [row] = await db.q
      .select()
      .from(db.t.apiKeys)
      .limit(1_000)
      .then((rows) => rows.filter(({ accountId }) => accountId === events.account.id));
    await db.tx((tx) => revokeKeyOf(tx, events.account.id, { keyId: row!.id, now: clock.now() }));
    await timers.fire();
    await eventually(() => expect(one.isOver).toBe(true));
    expect(one.named("terminated")[0]!.params.error.code).toBe(-32_012);
    expect(one.messages.at(-1)).toMatchObject({ id: 7, result: { _meta: {} } });
    await events.record([settled()]);
    expect(one.named("event")).toEqual([]);
  });
});

test("law: the access of streams is looked at twice a second", async () => {
  await stream();
  expect(timers.periods).toContain(500);
});

test("a heartbeat says up to where events were looked at", async () => {
  const one = await stream();
  await events.record([low]);
  await timers.fire();
  await timers.fire();
  await eventually(() => expect(one.named("heartbeat").length).toBeGreaterThan(0));
  const cursors = one.named("heartbeat").map(({ params }) => params.cursor);
  expect(cursors.at(-1)).not.toBe(one.named("active")[0]!.params.cursor);
  expect(timers.periods).toContain(15_000);
});

test("with a cursor it tells first what its client has missed, and no event of others", async () => {
  const { result } = await events.call("poll", { name: "links.settled" });
  await events.record([settled(), settled()]);
  const one = await stream({ cursor: result.cursor });
  const narrow = await stream({ arguments: { project_id: "prj_0000000000001" } });
  await timers.fire();
  await eventually(() => expect(idsOf(one)).toHaveLength(2));
  expect(idsOf(narrow)).toEqual([]);
});

test("an error comes before the stream, as one JSON document", async () => {
  const { result: other } = await events.call("poll", { name: "credits.low" });
  for (const [params, code] of [
    [{ name: "links.settled", cursor: other.cursor }, -32_602],
    [{ name: "links.settled", arguments: { site_id: "x" } }, -32_602],
    [{ name: "key.created" }, -32_011],
  ] as const) {
    const { error, status } = await events.call("stream", params);
    expect([status, error.code]).toEqual([200, code]);
  }
});

test(`-32013: an account has ${MAX_STREAMS.perAccount} streams open`, async () => {
  for (let n = 0; n < MAX_STREAMS.perAccount; n++) await stream();
  expect((await events.call("stream", { name: "links.settled" })).error.code).toBe(-32_013);
});

test("in a batch, or with headers that do not fit, it is an error that says what to do", async () => {
  const { key } = events.account;
  const batch = await poster(service.url)([message("events/stream", { name: "links.settled" })], { key });
  expect(batch.json[0].error).toMatchObject({ code: -32_014 });
  const { body, headers } = modern(message("events/stream", { name: "links.settled" }));
  const mixed = await poster(service.url)(body, { key, headers: { ...headers, "Mcp-Method": "events/poll" } });
  expect(mixed).toMatchObject({ status: 400, json: { error: { code: -32_020 } } });
});

test("law: behind a proxy that holds back what comes, a client that comes back with its cursor misses nothing", async () => {
  const proxy = await holdingProxy(service.url);
  try {
    const { result } = await events.call("poll", { name: "links.settled" });
    const request = ERAS["2026-07-28"]({ name: "links.settled", cursor: result.cursor });
    const response = fetch(`${proxy.url}/mcp`, {
      method: "POST",
      headers: {
        ...request.headers,
        "Content-Type": "application/json",
        Authorization: `Bearer ${events.account.key}`,
      },
      body: JSON.stringify(request.body),
    }).catch(() => null);
    await eventually(() => expect(timers.running).toBeGreaterThan(1));
    await events.record([settled(), settled()]);
    await timers.fire();
    await eventually(() => expect(proxy.held()).toContain("notifications/events/event"));
    proxy.close();
    await response;
    await eventually(() => expect(timers.running).toBe(0));
    const again = await stream({ cursor: result.cursor });
    await timers.fire();
    await eventually(() => expect(idsOf(again)).toHaveLength(2));
    expect(again.headers.get("x-accel-buffering")).toBe("no");
    expect(again.headers.get("cache-control")).toContain("no-transform");
  } finally {
    proxy.close();
  }
});

/** A proxy that passes on nothing of a response before its end. */
async function holdingProxy(target: string) {
  let held = "";
  const over = new AbortController();
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { host: _, connection: __, "content-length": ___, ...headers } = req.headers;
    try {
      const response = await fetch(`${target}${req.url}`, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks),
        signal: over.signal,
      });
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) held += chunk;
      res.end(held);
    } catch {
      res.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => held,
    close() {
      over.abort();
      server.closeAllConnections();
      server.close();
    },
  };
}
