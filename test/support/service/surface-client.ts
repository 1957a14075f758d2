import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Surface } from "../../../src/contract/operation.ts";
import { operations } from "../../../tools/index.ts";
import { a2aClient } from "../a2a/surface-client.ts";
import { isOnPostgres } from "../database/database.ts";
import type { ToolResult } from "../mcp/clients.ts";
import type { TestService } from "./service.ts";

export interface CallOptions {
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The result of a call, the same for all surfaces. */
export interface CallResult {
  readonly ok: boolean;
  /** The answer, or the error object of a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly body: any;
  /** Code of a refusal; null for an answer. */
  readonly code: string | null;
  readonly replayed: boolean;
  /** Status of the HTTP response. */
  readonly status: number;
  readonly headers: Headers;
}

/** A client that calls operations over one surface. */
export interface SurfaceClient {
  /** Path of the protected resource that a 401 names. */
  readonly resource: string;
  /** The HTTP status of a refusal over this surface: over MCP and A2A most are 200. */
  statusOf(refusal: number): number;
  call(name: string, input?: Record<string, unknown>, keys?: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

type Clients = Readonly<Record<string, (service: TestService) => SurfaceClient>>;

/** On PostgreSQL these two are enough: A2A writes tasks besides, and a tool of MCP makes the statements that REST makes. */
const ON_POSTGRES: Clients = { REST: restClient, "A2A by JSON-RPC": a2aClient("JSONRPC") };

/** One version and one binding of each, for the quick tier: others differ only in how a request is read. */
const CURRENT: Clients = { ...ON_POSTGRES, "MCP 2026-07-28": (service) => mcpClient(service, { pin: "2026-07-28" }) };

const ALL: Clients = {
  ...CURRENT,
  "MCP 2025-11-25": (service) => mcpClient(service, "legacy"),
  "A2A by HTTP+JSON": a2aClient("HTTP+JSON"),
};

const isQuick = ["quick", "quick22"].includes(process.env.TEST_TIER ?? "");

/** A client for each surface: tests of operations run over all of them. */
export const SURFACES: Clients = isOnPostgres ? ON_POSTGRES : isQuick ? CURRENT : ALL;

/** @param name a key of SURFACES */
export function surfaceOf(name: string): Surface {
  if (name === "REST") return "rest";
  return name.startsWith("A2A") ? "a2a" : "mcp";
}

function restClient({ request }: TestService): SurfaceClient {
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
        ...(method === "POST" || method === "PATCH" ? { body: Object.fromEntries(left) } : {}),
        headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
      });
      const ok = status < 300;
      const replayed = headers.get("idempotent-replayed") === "true";
      return { ok, body: ok ? json : json.error, code: ok ? null : json.error.code, replayed, status, headers };
    },
    close: async () => undefined,
  };
}

/** The official client, with one connection per credential. It keeps the last HTTP response, so calls run one at a time. */
function mcpClient({ url }: TestService, mode: "legacy" | { pin: string }): SurfaceClient {
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
  /** The last HTTP response to a POST. */
  last(): { status: number; headers: Headers; text: Promise<string> };
}

function connect(url: string, key: string | undefined, mode: "legacy" | { pin: string }): Connection {
  let last: ReturnType<Connection["last"]> | null = null;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } },
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      // By GET the client opens the stream of its session, which is no answer to a call.
      if (init?.method === "GET") return response;
      last = { status: response.status, headers: response.headers, text: response.clone().text() };
      return response;
    },
  });
  const client = new Client({ name: "surface-client", version: "1.0.0" }, { versionNegotiation: { mode } });
  return { client, ready: client.connect(transport), last: () => last! };
}

function outcomeOf(result: ToolResult, { status, headers }: { status: number; headers: Headers }): CallResult {
  const ok = result.isError !== true;
  // If the result demands a payment, our error follows it.
  const parsed = JSON.parse(result.content.at(-1)!.text);
  const replayed = result._meta?.["beckon/idempotent-replayed"] === true;
  const body = ok ? result.structuredContent : parsed.error;
  if (ok && JSON.stringify(body) !== JSON.stringify(parsed)) throw new Error("text and data differ");
  return { ok, body, code: ok ? null : body.code, replayed, status, headers };
}
