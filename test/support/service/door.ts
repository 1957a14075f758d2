import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Surface } from "../../../src/contract/operation.ts";
import { operations } from "../../../tools/index.ts";
import { a2aDoor } from "../a2a/door.ts";
import type { ToolResult } from "../mcp/clients.ts";
import type { TestService } from "./service.ts";

export interface Keys {
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** What came of a call, whichever door it went through. */
export interface Outcome {
  readonly ok: boolean;
  /** The answer, or the error object of a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly body: any;
  /** Of a refusal. */
  readonly code: string | null;
  readonly replayed: boolean;
  /** Of the HTTP answer that brought it. */
  readonly status: number;
  readonly headers: Headers;
}

/** A surface, as one function. */
export interface Door {
  /** Path of the protected resource that a 401 leads to. */
  readonly resource: string;
  /** The HTTP status a refusal comes with. */
  statusOf(refusal: number): number;
  call(name: string, input?: Record<string, unknown>, keys?: Keys): Promise<Outcome>;
  close(): Promise<void>;
}

/** Every surface; what holds for operations is tested through each. */
export const DOORS: Readonly<Record<string, (service: TestService) => Door>> = {
  REST: restDoor,
  "MCP 2025-11-25": (service) => mcpDoor(service, "legacy"),
  "MCP 2026-07-28": (service) => mcpDoor(service, { pin: "2026-07-28" }),
  "A2A by JSON-RPC": a2aDoor("JSONRPC"),
  "A2A by HTTP+JSON": a2aDoor("HTTP+JSON"),
};

/** By the name of a door. */
export function surfaceOf(door: string): Surface {
  if (door === "REST") return "rest";
  return door.startsWith("A2A") ? "a2a" : "mcp";
}

function restDoor({ request }: TestService): Door {
  return {
    resource: "/api/v1",
    statusOf: (refusal) => refusal,
    async call(name, input = {}, { key, idempotencyKey } = {}) {
      const { method, path } = operations.find((one) => one.name === name)!.rest;
      const left = new Map(Object.entries(input));
      const address = path.replace(/\{(\w+)\}/g, (_, field: string) => {
        const value = String(left.get(field));
        left.delete(field);
        return encodeURIComponent(value);
      });
      const query = method === "GET" && left.size > 0 ? `?${new URLSearchParams([...left] as [string, string][])}` : "";
      const { status, headers, json } = await request(method, `${address}${query}`, {
        key,
        ...(method === "POST" ? { body: Object.fromEntries(left) } : {}),
        headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
      });
      const ok = status < 300;
      const replayed = headers.get("idempotent-replayed") === "true";
      return { ok, body: ok ? json : json.error, code: ok ? null : json.error.code, replayed, status, headers };
    },
    close: async () => undefined,
  };
}

/** The official client, with one connection per credential. Calls one at a time: it keeps the last HTTP answer. */
function mcpDoor({ url }: TestService, mode: "legacy" | { pin: string }): Door {
  const connections = new Map<string | undefined, Connection>();
  return {
    resource: "/mcp",
    statusOf: (refusal) => ([401, 403, 429].includes(refusal) ? refusal : 200),
    async call(name, input = {}, { key, idempotencyKey } = {}) {
      const connection = connections.get(key) ?? connect(`${url}/mcp`, key, mode);
      connections.set(key, connection);
      const { client, ready, last } = connection;
      const args = idempotencyKey === undefined ? input : { ...input, idempotency_key: idempotencyKey };
      try {
        await ready;
        const result = (await client.callTool({ name, arguments: args })) as unknown as ToolResult;
        return outcomeOf(result, last());
      } catch (thrown) {
        const { status, headers, text } = last();
        if (status < 400) throw thrown;
        const body = JSON.parse(await text).error.data;
        return { ok: false, body, code: body.code, replayed: false, status, headers };
      }
    },
    async close() {
      for (const { client } of connections.values()) await client.close();
    },
  };
}

interface Connection {
  readonly client: Client;
  readonly ready: Promise<void>;
  /** The HTTP answer that came last. */
  last(): { status: number; headers: Headers; text: Promise<string> };
}

function connect(url: string, key: string | undefined, mode: "legacy" | { pin: string }): Connection {
  let last: ReturnType<Connection["last"]> | null = null;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } },
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      last = { status: response.status, headers: response.headers, text: response.clone().text() };
      return response;
    },
  });
  const client = new Client({ name: "door", version: "1.0.0" }, { versionNegotiation: { mode } });
  return { client, ready: client.connect(transport), last: () => last! };
}

function outcomeOf(result: ToolResult, { status, headers }: { status: number; headers: Headers }): Outcome {
  const ok = result.isError !== true;
  // Where a payment is asked for, our error stands after it.
  const said = JSON.parse(result.content.at(-1)!.text);
  const replayed = result._meta?.["beckon/idempotent-replayed"] === true;
  const body = ok ? result.structuredContent : said.error;
  if (ok && JSON.stringify(body) !== JSON.stringify(said)) throw new Error("text and data differ");
  return { ok, body, code: ok ? null : body.code, replayed, status, headers };
}
