import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createMCPClient,
  experimental_createMCPEventWebhook as createWebhook,
  type Experimental_MCPEvent as McpEvent,
  type Experimental_MCPEventSubscription as Subscription,
} from "@ai-sdk/mcp";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, expect, test } from "vitest";
import { eventsInEachTest, settled } from "../support/mcp/events.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const events = eventsInEachTest(service);

/** The client's own store, in memory. */
function memory() {
  const rows = new Map<string, Subscription>();
  return {
    rows,
    get: async (key: string) => rows.get(key),
    getById: async (id: string) => [...rows.values()].find((row) => row.id === id),
    set: async (row: Subscription) => void rows.set(row.key, row),
    update: async (key: string, patch: Partial<Subscription>) => void rows.set(key, { ...rows.get(key)!, ...patch }),
    delete: async (key: string) => void rows.delete(key),
  };
}

/** Serves a handler of web requests on this machine. */
async function serve(handle: (request: Request) => Promise<Response>) {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const init = { method: "POST", headers, body: Buffer.concat(chunks) };
    const response = await handle(new Request(`http://127.0.0.1${req.url}`, init));
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("the client of the AI SDK lists, subscribes, is told once for each event, refreshes and unsubscribes", async () => {
  const store = memory();
  const told: McpEvent[] = [];
  const errors: unknown[] = [];
  const onEvent = async ({ event }: { event: McpEvent }) => void told.push(event);
  const receiver = await serve(createWebhook({ store, onEvent, onError: (error) => void errors.push(error) }));
  const headers = { Authorization: `Bearer ${events.account.key}` };
  const transport = { type: "http", url: `${service.url}/mcp`, headers } as const;
  const client = await createMCPClient({ transport, experimental_events: { store } });
  try {
    // The client checks signatures by its machine's clock.
    service.clock.pass(Date.now() - service.clock.now());
    const { experimental_events: calls } = client;
    const { events: listed } = await calls.list();
    expect(listed.map(({ name }) => name)).toContain("links.settled");
    const delivery = { mode: "webhook", url: receiver.url, allowInsecureLocalhost: true } as const;
    const narrowing = { project_id: "prj_0000000000001" };
    const { id } = await calls.subscribe({ name: "links.settled", arguments: narrowing, delivery, ttlMs: null });
    await calls.refresh({ id });
    await events.record([settled("prj_0000000000001"), settled("prj_0000000000002"), settled("prj_0000000000001")]);
    await events.deliver();
    expect(errors).toEqual([]);
    expect(told.map(({ data }) => data.project_id)).toEqual(["prj_0000000000001", "prj_0000000000001"]);
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(2);
    const { payloadSchema } = listed.find(({ name }) => name === "links.settled")!;
    for (const { data } of told) expect(new Ajv2020().validate(payloadSchema, data)).toBe(true);
    await calls.unsubscribe({ id });
    await events.record([settled("prj_0000000000001")]);
    await events.deliver();
    expect(told).toHaveLength(2);
    expect(store.rows.size).toBe(0);
  } finally {
    await client.close();
    receiver.close();
  }
});

test("the client of the AI SDK is told why its receiver was not accepted", async () => {
  const store = memory();
  const receiver = await serve(async () => new Response("no", { status: 200 }));
  const headers = { Authorization: `Bearer ${events.account.key}` };
  const transport = { type: "http", url: `${service.url}/mcp`, headers } as const;
  const client = await createMCPClient({ transport, experimental_events: { store } });
  try {
    const delivery = { mode: "webhook", url: receiver.url, allowInsecureLocalhost: true } as const;
    const asked = client.experimental_events.subscribe({ name: "credits.low", delivery });
    await expect(asked).rejects.toMatchObject({ code: -32_015, data: { reason: "challenge_failed" } });
  } finally {
    await client.close();
    receiver.close();
  }
});
