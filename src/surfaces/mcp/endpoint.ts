import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpLog, ToolCaller } from "./caller.ts";
import { rewordedResponse } from "./redact-sdk-errors.ts";

/** Answers one POST whose body has been parsed, on behalf of its caller. */
export type McpEndpoint = (request: Request, body: unknown, caller: ToolCaller) => Promise<Response>;

/** Who serves a request, and where change events of its subscriptions come from (none: nothing here changes). */
export interface Serving {
  readonly serverFor: (caller: ToolCaller) => McpServer | Server;
  readonly bus?: ServerEventBus;
}

/**
 * Streamable HTTP without sessions, for both eras of the protocol: 2026-07-28, and those that begin with
 * `initialize`. A request has a server of its own.
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
    if (isLegacy) return rewordedResponse(await answerLegacy(request, body, serverFor(caller)));
    callers.set(request, caller);
    return rewordedResponse(await modern.fetch(request, { parsedBody: body }));
  };
}

/**
 * One JSON document instead of the SDK's event stream: no tool says anything before its result, and so the
 * result may still decide the HTTP status.
 */
async function answerLegacy(request: Request, body: unknown, server: McpServer | Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: answerable(body) }), gone(request)]);
  } finally {
    await server.close();
  }
}

/** A cancellation inside its own batch would leave the batch without an answer, and the connection waiting. */
function answerable(body: unknown): unknown {
  return Array.isArray(body) ? body.filter((message) => message?.method !== "notifications/cancelled") : body;
}

/** When the client hangs up; the status is for nobody. */
function gone({ signal }: Request): Promise<Response> {
  return new Promise((resolve) => {
    const leave = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
}
