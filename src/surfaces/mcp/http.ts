import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import type { Admission, Caller, RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { BODIES } from "../../platform/limits.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf, credentialsOf } from "../http-server/caller.ts";
import { answerPreflight, CORS } from "../http-server/cors.ts";
import { refuseUnlessJson } from "../http-server/json-body.ts";
import { sendResponse } from "../http-server/send-response.ts";
import type { McpLog } from "./caller.ts";
import { mcpEndpoint, type Serving } from "./endpoint.ts";
import { answerQuickly, quickCallIn } from "./fast-path.ts";
import { Exchange } from "./http-caller.ts";
import { idOf, operationsIn, parseMessage, requestsIn } from "./messages.ts";
import { protocolError } from "./protocol-error.ts";
import { createMcpServer } from "./server.ts";

export interface McpParts {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: McpLog;
  /** How long a client may take over a body, in ms. */
  readonly bodyTimeMs?: number | undefined;
  /** Serves something else than the operations: only the conformance fixtures do. */
  readonly serving?: Serving;
}

const METHODS = ["POST", "OPTIONS"];
const JSON_TYPE = { "Content-Type": "application/json" };
const PROTOCOL_HEADERS = ["Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"];

/**
 * Handles `/mcp`. The caller is identified before the body is read, and allowed its tools before the SDK sees
 * the message, so that 401, 403 and 429 are HTTP statuses; the rest of the protocol is the SDK's, or answered as it
 * would (quick.ts).
 */
export function mcpHandler(parts: McpParts): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { services, guard, log } = parts;
  const { siteUrl, trustProxy } = services.config;
  const serving = parts.serving ?? { serverFor: (caller) => createMcpServer(caller, log) };
  const endpoint = mcpEndpoint(serving, log);
  return async (req, res) => {
    if (req.method === "OPTIONS") return answerPreflight(res, METHODS, PROTOCOL_HEADERS);
    let id: string | number | null = null;
    setHeaders(res, { ...CORS, "Cache-Control": "no-store" });
    try {
      const caller = { ...credentialsOf(req), ip: addressOf(req, trustProxy), resource: "/mcp" } as const;
      const first = await guard.admit(caller);
      setHeaders(res, first.headers);
      refuseUnlessPost(req);
      const max = first.principal ? BODIES.submission : BODIES.anonymousEstimate;
      await withBody(req, res, { max, timeMs: parts.bodyTimeMs }, async (bytes) => {
        const body = parseMessage(bytes);
        id = idOf(body);
        const admission = await admitAll(guard, caller, first, body);
        setHeaders(res, admission.headers);
        const exchange = exchangeOf(parts, admission, caller);
        const quick = parts.serving ? null : quickCallIn(req, body);
        if (quick) {
          const text = await answerQuickly(quick, exchange, log);
          const { edge } = exchange;
          return sendResponse(
            req,
            res,
            edge ? protocolError(edge, id, siteUrl) : { status: 200, headers: JSON_TYPE, text },
          );
        }
        await adapt(req, res, log, async (request) => {
          const response = await endpoint(request, body, exchange);
          return exchange.edge && !Array.isArray(body) ? asResponse(exchange.edge, id, siteUrl) : response;
        });
      });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) log.error({ err: thrown }, "a protocol message failed");
      sendResponse(req, res, protocolError(toRefusal(thrown), id, siteUrl));
    }
  };
}

/** @throws Refusal method_not_allowed, unsupported_media_type */
function refuseUnlessPost(req: IncomingMessage): void {
  if (req.method !== "POST") {
    const message = "Send protocol messages by POST: there are no sessions and no streams here.";
    throw new Refusal("method_not_allowed", message, {}, { Allow: METHODS.join(", ") });
  }
  refuseUnlessJson(req);
}

/** Counts each request of a batch, and refuses the whole for one call that is not allowed. @throws Refusal */
async function admitAll(guard: RequestGuard, caller: Caller, first: Admission, body: unknown): Promise<Admission> {
  let admission = first;
  for (let counted = 1; counted < requestsIn(body); counted++) admission = await guard.admit(caller);
  for (const operation of operationsIn(body)) guard.authorize(operation, admission, caller);
  return admission;
}

function exchangeOf({ services, guard, executor }: McpParts, admission: Admission, caller: Caller): Exchange {
  const { principal, requestsToday } = admission;
  return new Exchange(
    services.config,
    ({ input, ...call }) => executor.run({ ...call, json: input, audience: "agent", principal, requestsToday }),
    (operation) => allows(guard, operation, admission, caller),
  );
}

function allows(guard: RequestGuard, operation: AnyOperation, admission: Admission, caller: Caller): boolean {
  try {
    guard.authorize(operation, admission, caller);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal) return false;
    throw thrown;
  }
}

/** The body goes beside the request, already parsed, so the adapter is given an empty one and copies nothing. */
function adapt(
  req: IncomingMessage,
  res: ServerResponse,
  log: McpLog,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const onerror = (err: Error) => log.error({ err }, "a protocol message failed");
  return toNodeHandler({ fetch }, { onerror })(req as NodeIncomingMessageLike, res, {});
}

function asResponse(refusal: Refusal, id: string | number | null, siteUrl: string): Response {
  const { status, headers, text } = protocolError(refusal, id, siteUrl);
  return new Response(text, { status, headers });
}

function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}
