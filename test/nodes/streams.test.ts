import { afterAll, describe, expect, test } from "vitest";
import { revokeCredentials } from "../../src/domain/users/revoke-access.ts";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { message as mcp, modern, poster } from "../support/mcp/post.ts";
import { appOf } from "../support/oauth/app.ts";
import { manualTimers } from "../support/service/manual-timers.ts";
import { testService } from "../support/service/service.ts";

/** Two nodes on one database. The timers of the second one, where the streams are, run when a test says so. */
const timers = manualTimers();
const one = await testService();
const two = await testService({ sharedWith: one, every: timers.every });
afterAll(async () => {
  await two.close();
  await one.close();
});
const { clock } = one;

interface Watched {
  isOver: boolean;
}

function watch(response: Response): Watched {
  const watched: Watched = { isOver: false };
  const read = async () => {
    for await (const _ of response.body!);
  };
  void read().finally(() => {
    watched.isOver = true;
  });
  return watched;
}

async function projectOf(key: string): Promise<string> {
  const { json } = await one.request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } });
  return json.project.id;
}

/** Lets the event loop go round until then. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Streams by surface: each is opened at the second node. */
const STREAMS: Readonly<Record<string, (key: string, projectId: string) => Promise<Response>>> = {
  "A2A over JSON-RPC": (key, projectId) =>
    a2aClient(`${two.url}/a2a`, key).openRpc("SendStreamingMessage", watching(projectId)),
  "A2A over HTTP+JSON": (key, projectId) =>
    a2aClient(`${two.url}/a2a`, key).openRest("POST", "/message:stream", watching(projectId)),
  "MCP until 2025-11-25": sessionStream,
  "MCP since 2026-07-28": listening,
};

/** The stream of a session of MCP, which its client opens by GET. */
async function sessionStream(key: string): Promise<Response> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const { headers } = await poster(one.url)(mcp("initialize", params), { key });
  const session = headers.get("mcp-session-id")!;
  const sent = { Authorization: `Bearer ${key}`, Accept: "text/event-stream", "Mcp-Session-Id": session };
  return fetch(`${two.url}/mcp`, { headers: sent });
}

/** A stream of MCP 2026-07-28. */
function listening(key: string, projectId: string): Promise<Response> {
  const notifications = { resourceSubscriptions: [`beckon://projects/${projectId}`] };
  const { body, headers } = modern(mcp("subscriptions/listen", { notifications }));
  const sent = { ...headers, Authorization: `Bearer ${key}`, Accept: "application/json, text/event-stream" };
  return fetch(`${two.url}/mcp`, {
    method: "POST",
    headers: { ...sent, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

function watching(projectId: string) {
  return { message: message("watch", { messageId: `watch-${projectId}`, parts: [{ text: `watch ${projectId}` }] }) };
}

describe.each(Object.entries(STREAMS))("a stream of %s", (_, open) => {
  test("law: ends at the next look after its API key was revoked at another node, and no other stream does", async () => {
    const [ended, lasting] = [await one.account(), await one.account()];
    const streams: Watched[] = [];
    for (const { key } of [ended, lasting]) {
      const response = await open(key, await projectOf(key));
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
      streams.push(watch(response));
    }
    await timers.fire();
    expect(streams.map(({ isOver }) => isOver)).toEqual([false, false]);
    await one.db.tx((tx) => revokeCredentials(tx, { accountId: ended.id }, { by: "owner", ip: "", now: clock.now() }));
    await timers.fire();
    await until(() => streams[0]!.isOver);
    expect(streams[1]!.isOver).toBe(false);
    await one.db.tx((tx) =>
      revokeCredentials(tx, { accountId: lasting.id }, { by: "owner", ip: "", now: clock.now() }),
    );
    await timers.fire();
    await until(() => streams[1]!.isOver);
    expect(timers.running).toBe(0);
  });

  test("law: ends when the access token of an app is revoked, and when it expires", async () => {
    for (const end of ["revoked", "expired"]) {
      const app = appOf(one);
      const { access } = await app.connected();
      const stream = watch(await open(access, await projectOf(access)));
      await timers.fire();
      expect(stream.isOver).toBe(false);
      if (end === "revoked") await app.revoke(access);
      else clock.pass(2 * 60 * 60 * 1_000);
      await timers.fire();
      await until(() => stream.isOver);
    }
  });
});

test("law: what open streams wait for is looked up at least once a second", () => {
  expect(timers.periods.length).toBeGreaterThan(1);
  expect(Math.max(...timers.periods)).toBeLessThanOrEqual(1_000);
});
