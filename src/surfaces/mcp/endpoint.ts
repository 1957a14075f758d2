import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpLog, ToolCaller } from "./caller.ts";
import { isObject, listenedIn } from "./messages.ts";
import { redactResponse } from "./redact-sdk-errors.ts";

/** Answers one POST whose body has been parsed, on behalf of its caller. */
export type McpEndpoint = (request: Request, body: unknown, caller: ToolCaller) => Promise<Response>;

/** Makes the server of a request; `bus` has the change events of subscriptions, which our own server does not use. */
export interface Serving {
  readonly serverFor: (caller: ToolCaller) => McpServer | Server;
  readonly bus?: ServerEventBus;
}

/**
 * Streamable HTTP, for 2026-07-28 and for the versions that begin with `initialize`. Each request has a
 * server of its own.
 */
export function mcpEndpoint({ serverFor, bus }: Serving, log: McpLog): McpEndpoint {
  const callers = new WeakMap<Request, ToolCaller>();
  const modern = createMcpHandler(({ requestInfo }) => serverFor(callers.get(requestInfo!)!), {
    legacy: "reject",
    onerror: (err) => log.debug?.({ err }, "protocol"),
    ...(bus && { bus }),
  });
  return async (request, body, caller) => {
    const isLegacy = await isLegacyRequest(request, body);
    if (isLegacy) return redactResponse(await answerLegacy(request, body, serverFor(caller)));
    if (isListen(body) && !bus) return redactResponse(await answerListen(request, body, { caller, serverFor, log }));
    callers.set(request, caller);
    return redactResponse(await modern.fetch(request, { parsedBody: body }));
  };
}

type ListenRequest = Record<string, unknown> & { readonly params: Record<string, unknown> };

function isListen(body: unknown): body is ListenRequest {
  return isObject(body) && body.method === "subscriptions/listen" && isObject(body.params);
}

/** Time between the comments of a quiet stream, in ms. */
const KEEP_ALIVE = 15_000;

/**
 * Answers `subscriptions/listen` (2026-07-28) by the SDK, which checks the request, acknowledges it and writes the stream. It
 * is asked only for what the caller may read. A stream cannot be resumed in this version: the client listens again.
 */
async function answerListen(
  request: Request,
  body: ListenRequest,
  { caller, serverFor, log }: { caller: ToolCaller; serverFor: Serving["serverFor"]; log: McpLog },
): Promise<Response> {
  const requested = listenedIn(body.params);
  const stream = await caller.subscriptions?.listen(requested);
  const handler = createMcpHandler(() => serverFor(caller), {
    legacy: "reject",
    keepAliveMs: KEEP_ALIVE,
    onerror: (err) => log.debug?.({ err }, "protocol"),
    ...(stream && { bus: stream.bus }),
  });
  stream?.ends.addEventListener("abort", () => void handler.close(), { once: true });
  const { notifications } = body.params;
  const isNarrowed = stream && requested.length > 0 && isObject(notifications);
  const narrowed = isNarrowed ? { ...notifications, resourceSubscriptions: stream.uris } : notifications;
  return handler.fetch(request, { parsedBody: { ...body, params: { ...body.params, notifications: narrowed } } });
}

/**
 * Answers with one JSON document instead of the SDK's event stream: no tool sends anything before its result, and a
 * refusal can still become the HTTP status.
 */
async function answerLegacy(request: Request, body: unknown, server: McpServer | Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answered = transport.handleRequest(request, { parsedBody: answerable(body) });
    const response = await Promise.race([answered, gone(request)]);
    return Array.isArray(body) ? await inList(response) : response;
  } finally {
    await server.close();
  }
}

/** The response to a batch, which is a list also where the SDK answers the only request in it by an object. */
async function inList(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const { status, headers } = response;
  return new Response(JSON.stringify([await response.json()].flat()), { status, headers });
}

/** A batch that cancels one of its own requests would never be answered, so cancellations are dropped. */
function answerable(body: unknown): unknown {
  return Array.isArray(body) ? body.filter((message) => message?.method !== "notifications/cancelled") : body;
}

/** Resolves when the client hangs up; nobody reads the status. */
function gone({ signal }: Request): Promise<Response> {
  return new Promise((resolve) => {
    const leave = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
}
