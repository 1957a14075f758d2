import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type A2aDeps, a2aHandler } from "../../../a2a/bindings/http.ts";
import { A2A } from "../../../a2a/path.ts";
import { openDatabase } from "../../../db/open.ts";
import { RequestGuard } from "../../../src/contract/authenticate.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { SCOPES, type Scope } from "../../../src/platform/principal.ts";
import { testDatabase } from "../database/database.ts";
import { TestClock } from "../service/clock.ts";
import { ScriptedAgent } from "./scripted-agent.ts";

export interface A2aAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly json: any;
}

export interface A2aOptions {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface TestA2a {
  /** Address of the JSON-RPC binding; the paths of the HTTP+JSON binding are below it. */
  readonly url: string;
  readonly agent: ScriptedAgent;
  readonly server: Server;
  readonly stopping: AbortController;
  /** Fields of the errors that were logged. */
  readonly errors: object[];
  /** @returns the API key of a new account */
  key(scopes?: readonly Scope[]): Promise<string>;
  close(): Promise<void>;
}

/** Serves both bindings on a free port, in front of a scripted agent. */
export async function testA2a(parts: Partial<A2aDeps> = {}): Promise<TestA2a> {
  const database = await testDatabase();
  const db = await openDatabase(database.url, { durable: false });
  const clock = new TestClock();
  const config = readConfig({ SITE_URL: "http://beckon.test" });
  const [agent, errors, stopping] = [new ScriptedAgent(), [] as object[], new AbortController()];
  const log = { error: (fields: object) => void errors.push(fields) };
  const guard = new RequestGuard(db, clock, config);
  const handler = a2aHandler({ config, guard, log, methods: agent, stopping: stopping.signal, ...parts });
  const server = createServer((req, res) => void handler(req, res)).listen(0, "127.0.0.1");
  server.on("checkContinue", (req, res) => void handler(req, res));
  await once(server, "listening");
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${A2A}`, agent, server, stopping, errors },
    key: (scopes = SCOPES) =>
      db.tx(async (tx) => {
        const now = clock.now();
        const { id } = await createAccount(tx, { email: `${randomUUID()}@example.com`, now });
        return createKey(tx, { accountId: id, name: "test", mode: "sandbox", now, scopes });
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await db.close();
      await database.drop();
    },
  };
}

const V1 = { "A2A-Version": "1.0" };

/** Sends single requests, for tests of statuses, headers and bodies. */
export function a2aClient(url: string, key?: string) {
  const send = async (method: string, path: string, body: unknown, options: A2aOptions): Promise<Response> => {
    const token = "key" in options ? options.key : key;
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    return fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  };
  const whole = async (response: Response): Promise<A2aAnswer> => {
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
  };
  const withVersion = (options: A2aOptions): A2aOptions => ({ ...options, headers: { ...V1, ...options.headers } });
  return {
    /** An HTTP request without A2A-Version, unless the options have it. */
    raw: async (method: string, path: string, body?: unknown, options: A2aOptions = {}) =>
      whole(await send(method, path, body, options)),
    /** Posts a body to the JSON-RPC binding, with A2A-Version 1.0. */
    post: async (body: unknown, options: A2aOptions = {}) => whole(await send("POST", "", body, withVersion(options))),
    rpc: async (method: string, params?: unknown, options: A2aOptions = {}) =>
      whole(await send("POST", "", rpc(method, params), withVersion(options))),
    rest: async (method: string, path: string, body?: unknown, options: A2aOptions = {}) =>
      whole(await send(method, path, body, withVersion(options))),
    /** A JSON-RPC call without A2A-Version, which means 0.3. */
    legacy: async (method: string, params?: unknown, options: A2aOptions = {}) =>
      whole(await send("POST", "", rpc(method, params), options)),
    openRpc: (method: string, params: unknown, options: A2aOptions = {}) =>
      send("POST", "", rpc(method, params), withVersion(options)),
    openRest: (method: string, path: string, body?: unknown, options: A2aOptions = {}) =>
      send(method, path, body, withVersion(options)),
  };
}

export function rpc(method: string, params?: unknown, id: unknown = 1) {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
}

let messages = 0;

/** A message; its id begins with the name of the script that the agent follows. */
export function message(prefix = "tck-complete-task", more: object = {}) {
  return { messageId: `${prefix}-${++messages}`, role: "ROLE_USER", parts: [{ text: "Hello" }], ...more };
}

export function legacyMessage(prefix = "tck-complete-task", more: object = {}) {
  const parts = [{ kind: "text", text: "Hello" }];
  return { kind: "message", messageId: `${prefix}-${++messages}`, role: "user", parts, ...more };
}

/** Yields the events of a stream as they arrive; comments as text. */
export async function* eventsOf(response: Response): AsyncGenerator<Record<string, unknown> | string> {
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const whole = text.split("\n\n");
    text = whole.pop()!;
    for (const block of whole) yield block.startsWith("data: ") ? JSON.parse(block.slice("data: ".length)) : block;
  }
}

export async function allEvents(response: Response) {
  const events: (Record<string, unknown> | string)[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  return events as any[];
}
