import { randomUUID } from "node:crypto";
import { AgentCard, Message, Task } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { TestService } from "../service/service.ts";
import type { CallOptions, CallResult, SurfaceClient } from "../service/surface-client.ts";

type Binding = "JSONRPC" | "HTTP+JSON";

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
type Json = any;

/** The SDK's client in one of its bindings, with one connection per credential. Calls one at a time. */
export function a2aClient(binding: Binding): (service: TestService) => SurfaceClient {
  return ({ url }) => {
    const clients = new Map<string | undefined, Promise<Connection>>();
    return {
      resource: "/a2a",
      statusOf: (refusal) => ([401, 403, 429].includes(refusal) ? refusal : 200),
      async call(name, input = {}, { key, idempotencyKey }: CallOptions = {}) {
        const known = clients.get(key) ?? connect(`${url}/a2a`, binding, key);
        clients.set(key, known);
        const { client, last } = await known;
        const asked = idempotencyKey === undefined ? input : { ...input, idempotency_key: idempotencyKey };
        const message = Message.fromJSON({
          messageId: randomUUID(),
          role: "ROLE_USER",
          parts: [{ data: { skill: name, input: asked } }],
        });
        try {
          const sent = await client.sendMessage({ tenant: "", message, configuration: undefined, metadata: undefined });
          return outcomeOf(Task.toJSON(sent as Task), last());
        } catch (thrown) {
          const { status, headers, text } = last();
          if (status < 400) throw thrown;
          return refusedAtTheEdge(JSON.parse(await text).error, status, headers);
        }
      },
      close: async () => undefined,
    };
  };
}

interface Connection {
  readonly client: Client;
  /** The HTTP answer that came last. */
  last(): { status: number; headers: Headers; text: Promise<string> };
}

async function connect(url: string, protocolBinding: Binding, key: string | undefined): Promise<Connection> {
  let last: ReturnType<Connection["last"]> | null = null;
  const fetchImpl: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers);
    if (key !== undefined) headers.set("Authorization", `Bearer ${key}`);
    const response = await fetch(address, { ...init, headers });
    last = { status: response.status, headers: response.headers, text: response.clone().text() };
    return response;
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports }));
  // Not the card of the service: that names the public address, where nobody listens in tests.
  const card = AgentCard.fromJSON({
    name: "door",
    supportedInterfaces: [{ url, protocolBinding, protocolVersion: "1.0" }],
    capabilities: {},
  });
  return { client: await factory.createFromAgentCard(card), last: () => last! };
}

function outcomeOf(sent: unknown, { status, headers }: { status: number; headers: Headers }): CallResult {
  const task = sent as Json;
  const about = { status, headers, replayed: false };
  if (task.status.state === "TASK_STATE_COMPLETED") {
    const [artifact] = task.artifacts;
    const replayed = artifact.metadata?.["beckon/idempotent-replayed"] === true;
    return { ...about, ok: true, body: artifact.parts[0].data, code: null, replayed };
  }
  const { data } = task.status.message.parts.find((part: Json) => part.data);
  // What is missing is asked for, where other doors refuse.
  const error = data.error ?? { code: "invalid_request", issues: data.issues };
  return { ...about, ok: false, body: error, code: error.code };
}

/** The details of an error say our code and its fields (google.rpc.ErrorInfo). */
function refusedAtTheEdge({ message, data, details = data }: Json, status: number, headers: Headers): CallResult {
  const [{ reason, metadata }] = details;
  const code = reason.toLowerCase();
  return { ok: false, body: { code, message, ...metadata }, code, replayed: false, status, headers };
}
