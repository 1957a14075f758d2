import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { purgeSubscriptions, subscribe } from "../../../../src/domain/projects/resource-subscriptions.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { SIZES } from "../../../../src/platform/sizes.ts";
import { ProjectUpdates } from "../../../../src/surfaces/mcp/project-updates.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { beckonMcp } from "../../../support/mcp/stdio.ts";
import { SUBSCRIBERS, type Subscriber } from "../../../support/mcp/subscribers.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eventually } from "../../../support/service/eventually.ts";
import { manualTimers } from "../../../support/service/manual-timers.ts";
import { testService } from "../../../support/service/service.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Two processes on one database, whose timers run when a test says so; the checker is a third one. */
const timers = manualTimers();
const one = await testService({ every: timers.every });
const two = await testService({ sharedWith: one, every: timers.every });
afterAll(async () => {
  await two.close();
  await one.close();
});
const { db, clock } = one;
const work = testChecker(one);
const finish = () => work.until(clock.service() + 20 * DAY);

let account: { id: string; key: string };
beforeEach(async () => {
  account = await one.account();
});

async function project(key = account.key): Promise<string> {
  const { json } = await one.request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } });
  return `beckon://projects/${json.project.id}`;
}

const PLACES = {
  "over HTTP": (key: string) => ({ url: `${one.url}/mcp`, key }),
  "over stdio": (key: string) => beckonMcp(one.url, key),
};
const cases = Object.entries(SUBSCRIBERS).flatMap(([name, connect]) =>
  Object.entries(PLACES).map(([where, placeOf]) => [`${name} ${where}`, connect, placeOf] as const),
);

describe.each(cases)("%s", (_, connect, placeOf) => {
  let client: Subscriber;
  beforeEach(async () => {
    client = await connect(placeOf(account.key));
  });
  afterEach(() => client.close());

  test("law: a client hears once of a change that another process has made, and of no other project", async () => {
    const [changing, waiting] = [await project(), await project()];
    expect(client.mayRely).toBe(true);
    expect(await client.subscribe([changing, `${changing}/links`])).toEqual([changing, `${changing}/links`]);
    await eventually(() => expect(timers.running).toBeGreaterThan(0));
    await timers.fire();
    await finish();
    await timers.fire();
    await eventually(() => expect(client.updates.toSorted()).toEqual([changing, `${changing}/links`]));
    await timers.fire();
    expect(client.updates).toHaveLength(2);
    expect(client.updates).not.toContain(waiting);
  });

  test("a client hears nothing after it has unsubscribed", async () => {
    const [kept, left] = [await project(), await project()];
    await client.subscribe([kept]);
    await client.subscribe([left]);
    await client.unsubscribe(left);
    await eventually(() => expect(timers.running).toBeGreaterThan(0));
    await finish();
    await timers.fire();
    await eventually(() => expect(client.updates).toEqual([kept]));
  });

  test("the project of another account is none", async () => {
    const foreign = await project((await one.account()).key);
    const honored = await client.subscribe([foreign]).catch(({ code }: { code: number }) => code);
    expect([[], -32602]).toContainEqual(honored);
  });
});

/** The session that `initialize` gives to a client. */
async function sessionOf(key = account.key): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const { headers } = await poster(one.url)(message("initialize", params), { key });
  return headers.get("mcp-session-id")!;
}

const call = (session: string, method: string, uri: string) =>
  poster(one.url)(message(method, { uri }), { key: account.key, headers: { "Mcp-Session-Id": session } });

/** The stream of a session, and what has come by it. */
async function streamOf(session: string, { node = one, key = account.key, lastId = "" } = {}) {
  const gone = new AbortController();
  const headers = {
    ...{ Authorization: `Bearer ${key}`, Accept: "text/event-stream" },
    ...{ "MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": session },
    ...(lastId === "" ? {} : { "Last-Event-ID": lastId }),
  };
  const response = await fetch(`${node.url}/mcp`, { headers, signal: gone.signal });
  const events: { id: string; uri: string | null }[] = [];
  const stream = { status: response.status, events, isOver: false, close: () => gone.abort() };
  const read = async () => {
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks.filter((one) => one.includes("id: "))) {
        const [, id = ""] = /^id: (.*)$/m.exec(block) ?? [];
        const [, data = ""] = /^data: (.*)$/m.exec(block) ?? [];
        events.push({ id, uri: data === "" ? null : JSON.parse(data).params.uri });
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true;
    });
  return stream;
}

const urisOf = ({ events }: Awaited<ReturnType<typeof streamOf>>) => events.flatMap(({ uri }) => uri ?? []);

test("law: a stream that is resumed at another process tells of what was missed, and of nothing twice", async () => {
  const uri = await project();
  const session = await sessionOf();
  await call(session, "resources/subscribe", uri);
  const first = await streamOf(session);
  await eventually(() => expect(first.events).toHaveLength(1));
  first.close();
  const quiet = await streamOf(session, { node: two, lastId: first.events[0]!.id });
  await timers.fire();
  await finish();
  quiet.close();
  const resumed = await streamOf(session, { node: two, lastId: first.events[0]!.id });
  await eventually(() => expect(urisOf(resumed)).toEqual([uri]));
  resumed.close();
  const again = await streamOf(session, { lastId: resumed.events.at(-1)!.id });
  await timers.fire();
  await eventually(() => expect(again.events).toHaveLength(1));
  expect(urisOf(again)).toEqual([]);
  again.close();
});

test("a subscription that is made at another process reaches the stream; DELETE ends both", async () => {
  const uri = await project();
  const session = await sessionOf();
  const stream = await streamOf(session, { node: two });
  await call(session, "resources/subscribe", uri);
  await finish();
  await timers.fire();
  await eventually(() => expect(urisOf(stream)).toEqual([uri]));
  const headers = { Authorization: `Bearer ${account.key}`, "Mcp-Session-Id": session };
  expect((await fetch(`${two.url}/mcp`, { method: "DELETE", headers })).status).toBe(204);
  await eventually(() => expect(stream.isOver).toBe(true));
  expect((await db.q.select().from(db.t.resourceSubscriptions)).filter((row) => row.session === session)).toEqual([]);
});

test("404: whatever names a session that its client has ended, at any process, and nothing else", async () => {
  const [ended, open] = [await sessionOf(), await sessionOf()];
  const statusOf = async (method: string, session: string, { node = one, key = account.key } = {}) => {
    const headers = { Authorization: `Bearer ${key}`, "Mcp-Session-Id": session };
    if (method !== "POST") return (await fetch(`${node.url}/mcp`, { method, headers })).status;
    return (await poster(node.url)(toolCall("get_pricing"), { key, headers })).status;
  };
  expect(await statusOf("DELETE", ended)).toBe(204);
  for (const node of [one, two])
    for (const method of ["POST", "GET", "DELETE"]) expect(await statusOf(method, ended, { node })).toBe(404);
  const { status, json } = await call(ended, "initialize", "");
  expect([status, json]).toMatchObject([404, { id: null, error: { data: { code: "not_found" } } }]);
  expect(await statusOf("POST", open)).toBe(200);
  expect(await statusOf("POST", ended, { key: (await one.account()).key })).toBe(200);
  expect(await statusOf("POST", await sessionOf())).toBe(200);
  await purgeSubscriptions(db, clock.now() + 7 * DAY);
  expect(await statusOf("POST", ended)).toBe(404);
  await purgeSubscriptions(db, clock.now() + 8 * DAY);
  expect(await db.q.select().from(db.t.endedSessions)).toEqual([]);
});

test("another credential hears nothing of a session, even if it knows the id", async () => {
  const uri = await project();
  const session = await sessionOf();
  await call(session, "resources/subscribe", uri);
  const other = await one.account();
  const stream = await streamOf(session, { key: other.key });
  expect(stream.status).toBe(200);
  await finish();
  await timers.fire();
  stream.close();
  await eventually(() => expect(stream.isOver).toBe(true));
  expect(urisOf(stream)).toEqual([]);
});

test("the stream of a client that has gone is released, of both kinds", async () => {
  const uri = await project();
  const { body, headers } = modern(
    message("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }),
  );
  const gone = new AbortController();
  const types = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const sent = { ...headers, ...types, Authorization: `Bearer ${account.key}` };
  const init = { method: "POST", headers: sent, body: JSON.stringify(body), signal: gone.signal };
  expect((await fetch(`${one.url}/mcp`, init)).status).toBe(200);
  const stream = await streamOf(await sessionOf());
  await eventually(() => expect(timers.running).toBeGreaterThan(0));
  gone.abort();
  stream.close();
  await eventually(() => expect(timers.running).toBe(0));
});

test("a client that comes back takes the place of its old stream", async () => {
  const session = await sessionOf();
  const [first, second] = [await streamOf(session), await streamOf(session)];
  await eventually(() => expect(first.isOver).toBe(true));
  expect(second.isOver).toBe(false);
  second.close();
});

test.each(["resources/subscribe", "resources/unsubscribe"])("-32602: %s with an unknown project", async (method) => {
  const session = await sessionOf();
  for (const uri of ["beckon://projects/prj_unknown", "beckon://pricing", "file:///etc/passwd"])
    expect((await call(session, method, uri)).json.error).toMatchObject({ code: -32602, data: { uri } });
});

test("a subscription without a session is refused, and says how to get one", async () => {
  const { json } = await poster(one.url)(message("resources/subscribe", { uri: await project() }), {
    key: account.key,
  });
  expect(json.error).toMatchObject({ code: -32600, message: expect.stringContaining("Mcp-Session-Id") });
});

test("401 and 403: subscribing and listening need the scope that reading needs", async () => {
  const uri = await project();
  const listen = modern(message("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }));
  const { key } = await one.account({ scopes: ["purchase"] });
  for (const [credential, status] of [
    [undefined, 401],
    [key, 403],
  ] as const) {
    const options = { key: credential, headers: listen.headers };
    expect((await poster(one.url)(listen.body, options)).status).toBe(status);
    expect((await poster(one.url)(message("resources/subscribe", { uri }), { key: credential })).status).toBe(status);
  }
});

test.each(["beckon://pricing", "beckon://nothing"])(
  "403: listening to %s and a project needs the scope of both, in either order",
  async (other) => {
    const { key } = await one.account({ scopes: ["index"] });
    const uri = await project(key);
    for (const resourceSubscriptions of [
      [other, uri],
      [uri, other],
    ]) {
      const { body, headers } = modern(message("subscriptions/listen", { notifications: { resourceSubscriptions } }));
      const { status, json } = await poster(one.url)(body, { key, headers });
      expect([status, json.error.data.required_scope]).toEqual([403, "read"]);
    }
  },
);

test("429: an account subscribes to so many resources", async () => {
  const uri = await project();
  const session = await sessionOf();
  const mine = { id: session, accountId: account.id, maker: "other" };
  for (let no = 1; no <= SIZES.subscriptionsPerAccount; no++)
    await db.tx((tx) => subscribe(tx, mine, { projectNo: no, isLinks: false, fingerprint: "" }, clock.now()));
  const { json } = await call(session, "resources/subscribe", uri);
  expect(json.error.data).toMatchObject({ code: "rate_limited" });
});

test("429: an account has so many streams open; closing one makes room", async () => {
  const streams = [];
  for (let count = 0; count < 20; count++) streams.push(await streamOf(await sessionOf()));
  expect((await streamOf(await sessionOf())).status).toBe(429);
  const uri = await project();
  const listen = modern(message("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }));
  expect((await poster(one.url)(listen.body, { key: account.key, headers: listen.headers })).status).toBe(429);
  for (const stream of streams) stream.close();
  await eventually(async () => {
    const stream = await streamOf(await sessionOf());
    stream.close();
    expect(stream.status).toBe(200);
  });
});

test("law: a thousand quiet streams are one timer and two queries a second", async () => {
  let queries = 0;
  const counted = new Proxy(db.q, {
    get(target, name) {
      if (name === "select") queries += 1;
      return Reflect.get(target, name);
    },
  });
  const own = manualTimers();
  const log = { error: () => undefined };
  const updates = new ProjectUpdates({ db: { ...db, q: counted }, log, every: own.every });
  const about = [{ uri: "beckon://projects/x", projectNo: 1, fingerprint: "" }];
  const ends = Array.from({ length: 1_000 }, (_, n) => {
    const accountId = `acc_${n % 100}`;
    const session = { id: `mcp_${n}`, accountId, maker: "key" };
    return updates.add({ accountId, about: n % 2 === 0 ? about : session, update: () => undefined });
  });
  await own.fire();
  expect([own.running, queries]).toEqual([1, 2]);
  expect(() => updates.add({ accountId: "more", about, update: () => undefined })).toThrow("Too many streams");
  for (const end of ends) end();
  expect(own.running).toBe(0);
});
