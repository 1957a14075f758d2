import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { Admission, Caller, Gate } from "../contract/admit.ts";
import type { Services } from "../contract/call.ts";
import type { Executor } from "../contract/executor.ts";
import { Refusal, toRefusal } from "../errors.ts";
import { BODIES } from "../limits/table.ts";
import { readBody } from "../web/body.ts";
import { addressOf, presentedBy } from "../web/caller.ts";
import { CORS, preflight } from "../web/cors.ts";
import { refuseUnlessJson } from "../web/json-body.ts";
import { reply } from "../web/reply.ts";
import type { McpLog } from "./caller.ts";
import { mcpEndpoint, type Serving } from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import { idOf, operationsIn, requestsIn } from "./messages.ts";
import { ParseFailure, protocolError } from "./protocol-error.ts";
import { createMcpServer } from "./server.ts";

export interface McpParts {
  readonly services: Services;
  readonly gate: Gate;
  readonly executor: Executor;
  readonly log: McpLog;
  /** Serves something else than the operations: only the conformance fixtures do. */
  readonly serving?: Serving;
}

const METHODS = ["POST", "OPTIONS"];
const PROTOCOL_HEADERS = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"];

/**
 * `/mcp`. The caller is identified before the body is read, and allowed its tools before the SDK sees the
 * message, so that 401, 403 and 429 are HTTP statuses; everything else the SDK answers.
 */
export function mcpHandler(parts: McpParts): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { config } = parts.services;
  const serving = parts.serving ?? { serverFor: (caller) => createMcpServer(caller, parts.log) };
  const endpoint = mcpEndpoint(serving, parts.log);
  return async (req, res) => {
    if (req.method === "OPTIONS") return preflight(res, METHODS, PROTOCOL_HEADERS);
    let id: string | number | null = null;
    try {
      const caller = { ...presentedBy(req), ip: addressOf(req, config.trustProxy), resource: "/mcp" as const };
      const first = await parts.gate.enter(caller);
      setHeaders(res, { ...CORS, ...first.headers });
      const body = await readJson(req, first);
      id = idOf(body);
      const admission = await admitAll(parts.gate, caller, first, body);
      setHeaders(res, admission.headers);
      const exchange = exchangeOf(parts, admission);
      const fetch = async (request: Request) => {
        const response = await endpoint(request, body, exchange);
        return exchange.edge && id !== null ? asResponse(exchange.edge, id, config.siteUrl) : response;
      };
      await adapt(fetch, parts.log)(req, res, OUTLINE);
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if (refusal.code === "internal") parts.log.error({ err: thrown }, "mcp");
      const { status, headers, text } = protocolError(refusal, id, config.siteUrl);
      reply(req, res, { status, headers: { ...CORS, ...headers }, text });
    }
  };
}

/** @throws Refusal method_not_allowed, unsupported_media_type, payload_too_large, unavailable, invalid_request */
async function readJson(req: IncomingMessage, { principal }: Admission): Promise<unknown> {
  if (req.method !== "POST") {
    throw new Refusal(
      "method_not_allowed",
      "Send protocol messages by POST. There are no sessions or streams here.",
      {},
      { Allow: METHODS.join(", ") },
    );
  }
  refuseUnlessJson(req);
  const bytes = await readBody(req, principal ? BODIES.submission : BODIES.anonymousEstimate);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new ParseFailure();
  }
}

/** Counts every request of a batch, and refuses all of it for one call that is not allowed. @throws Refusal */
async function admitAll(gate: Gate, caller: Caller, first: Admission, body: unknown): Promise<Admission> {
  let admission = first;
  for (let counted = 1; counted < requestsIn(body); counted++) admission = await gate.enter(caller);
  for (const operation of operationsIn(body)) gate.authorize(operation, admission, caller);
  return admission;
}

function exchangeOf({ services, executor }: McpParts, { principal, requestsToday }: Admission): Exchange {
  return new Exchange(services.config.siteUrl, ({ operation, input, idempotencyKey }) =>
    executor.run({ operation, json: input, idempotencyKey, audience: "agent", principal, requestsToday }),
  );
}

/** The body is handed over beside the request, so the adapter is given an empty one and copies nothing. */
const OUTLINE = {};

function adapt(fetch: (request: Request) => Promise<Response>, log: McpLog) {
  return toNodeHandler({ fetch }, { onerror: (err) => log.error({ err }, "mcp") });
}

function asResponse(refusal: Refusal, id: string | number, siteUrl: string): Response {
  const { status, headers, text } = protocolError(refusal, id, siteUrl);
  return new Response(text, { status, headers });
}

function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}
