import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import type { Admission, Caller, RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import type { OpenStreams } from "../../contract/open-streams.ts";
import { type AnyOperation, onlyReadsDatabase } from "../../contract/operation.ts";
import { Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { newId } from "../../platform/ids.ts";
import { BODIES } from "../../platform/limits.ts";
import { type RunEvery, runEvery } from "../../platform/run-every.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf, credentialsOf } from "../http-server/caller.ts";
import { type CloseSignal, closeSignal } from "../http-server/close-signal.ts";
import { answerPreflight, CORS } from "../http-server/cors.ts";
import { refuseUnlessJson } from "../http-server/json-body.ts";
import { sendResponse, type TextResponse } from "../http-server/send-response.ts";
import type { McpLog } from "./caller.ts";
import { mcpEndpoint, type Serving } from "./endpoint.ts";
import { answerOnFastPath, fastPathCallIn } from "./fast-path.ts";
import { HttpToolCaller } from "./http-caller.ts";
import { idOf, isObject, operationsIn, parseMessage, requestsIn } from "./messages.ts";
import { LIST_PROJECTS } from "./own-projects.ts";
import { ProjectUpdates } from "./project-updates.ts";
import { httpErrorOf } from "./protocol-error.ts";
import { createMcpServer } from "./server.ts";
import { SessionStreams } from "./session-stream.ts";
import { HttpSubscriptions, type SubscriptionDeps, sessionOf } from "./subscriptions.ts";
import { DEFAULT_TOOLSETS, toolsetsIn } from "./toolsets.ts";

export interface McpDeps {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: McpLog;
  readonly streams: OpenStreams;
  /** Aborted when the service stops, which ends open streams. */
  readonly stopping?: AbortSignal | undefined;
  /** Replaces the timers of what open streams wait for, in tests. */
  readonly every?: RunEvery | undefined;
  /** Longest time for receiving a body, in ms. */
  readonly bodyTimeMs?: number | undefined;
  /**
   * Serves something else than the operations, through the SDK alone: the conformance fixtures, and the differential test
   * of the fast path.
   */
  readonly serving?: Serving;
}

/** The first version whose clients cancel a call by closing its response. */
const CANCELS_BY_CLOSING = "2026-07-28";

const HEADERS = {
  ...CORS,
  "Access-Control-Expose-Headers": `${CORS["Access-Control-Expose-Headers"]}, Mcp-Session-Id`,
  "Cache-Control": "no-store",
};

const METHODS = ["POST", "OPTIONS"];
/** A session has a stream, and an end. */
const SESSION_METHODS = ["GET", "DELETE"];
const JSON_TYPE = { "Content-Type": "application/json" };
const PROTOCOL_HEADERS = ["Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"];

/**
 * Handles `/mcp`. The caller is identified before the body is read, and authorized before the SDK gets the message, so
 * that 401, 403 and 429 are HTTP statuses. Plain tool calls are answered on the fast path, everything else by the SDK.
 */
export function mcpHandler(deps: McpDeps): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { services, guard, log } = deps;
  const { siteUrl, trustProxy } = services.config;
  const serving = deps.serving ?? { serverFor: (caller) => createMcpServer(caller, log) };
  const endpoint = mcpEndpoint(serving, log);
  const { stopping = new AbortController().signal, every = runEvery, streams } = deps;
  // Every open stream listens to it.
  setMaxListeners(0, stopping);
  const subscriptions = { services, streams, updates: new ProjectUpdates({ db: services.db, log, every }) };
  const sessions = new SessionStreams(subscriptions);
  return async (req, res) => {
    if (req.method === "OPTIONS") return answerPreflight(res, [...SESSION_METHODS, ...METHODS], PROTOCOL_HEADERS);
    let id: string | number | null = null;
    const closing = closeSignal(res);
    const headers: Record<string, string> = { ...HEADERS };
    const send = (response: TextResponse) =>
      sendResponse(req, res, { ...response, headers: { ...headers, ...response.headers } });
    try {
      const { authorization, apiKey } = credentialsOf(req);
      const ip = addressOf(req, trustProxy);
      const caller = { authorization, apiKey, ip, host: req.headers.host, resource: "/mcp" } as const;
      const first = await guard.admit(caller);
      Object.assign(headers, first.headers);
      const { principal } = first;
      const session = sessionOf(req, principal);
      if (session && SESSION_METHODS.includes(req.method!)) {
        guard.authorize(LIST_PROJECTS, first, caller);
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        if (req.method === "GET") {
          const ending = closeSignal(res, stopping);
          return await sessions.serve({ req, res }, { session, caller, signal: ending.signal }).finally(ending.dispose);
        }
        await sessions.end(session);
        return void res.writeHead(204).end();
      }
      refuseUnlessPost(req);
      const max = first.principal ? BODIES.submission : BODIES.anonymousEstimate;
      await withBody(req, res, { max, timeMs: deps.bodyTimeMs }, async (bytes) => {
        const body = parseMessage(bytes);
        id = idOf(body);
        const admission = await admitAll(guard, caller, first, body);
        Object.assign(headers, admission.headers);
        const request = { caller, principal, session, stopping };
        const tools = callerFor(deps, admission, req, { request, subscriptions, closing });
        const plainCall = deps.serving ? null : fastPathCallIn(req, body);
        if (plainCall) {
          const text = await answerOnFastPath(plainCall, tools, log);
          const refusal = tools.httpRefusal;
          return send(refusal ? httpErrorOf(refusal, id, siteUrl) : { status: 200, headers: JSON_TYPE, text });
        }
        if (!deps.serving && principal && beginsSession(body) && tools.allows(LIST_PROJECTS))
          headers["Mcp-Session-Id"] = newId("mcp");
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        // A service that stops waits for its connections to close, and that of a stream is kept alive for more requests.
        res.once("finish", () => stopping.aborted && req.socket.destroySoon());
        await adapt(req, res, log, async (request) => {
          const response = await endpoint(request, body, tools).catch((thrown) => {
            if (thrown instanceof Refusal) return asResponse(thrown, id, siteUrl);
            throw thrown;
          });
          return tools.httpRefusal && !Array.isArray(body) ? asResponse(tools.httpRefusal, id, siteUrl) : response;
        });
      });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) log.error({ err: thrown }, "a protocol message failed");
      send(httpErrorOf(toRefusal(thrown), id, siteUrl));
    } finally {
      closing.dispose();
    }
  };
}

/** @throws Refusal method_not_allowed, unsupported_media_type */
function refuseUnlessPost(req: IncomingMessage): void {
  if (req.method !== "POST") {
    const message = "Send protocol messages by POST. GET is for the stream of a session, which Mcp-Session-Id names.";
    throw new Refusal("method_not_allowed", message, {}, { Allow: METHODS.join(", ") });
  }
  refuseUnlessJson(req);
  if (acceptsJson(req.headers.accept)) req.headers.accept = ACCEPT;
}

/** What the protocol has clients send. Every answer is JSON, so that one which takes JSON is served as well. */
const ACCEPT = "application/json, text/event-stream";

function acceptsJson(accept = "*/*"): boolean {
  return accept
    .split(",")
    .some((range) => /^\s*(application\/(json|\*)|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range));
}

/** Counts each request of a batch, and refuses the batch for one call that is not authorized. @throws Refusal */
async function admitAll(guard: RequestGuard, caller: Caller, first: Admission, body: unknown): Promise<Admission> {
  let admission = first;
  for (let counted = 1; counted < requestsIn(body); counted++) admission = await guard.admit(caller);
  for (const operation of operationsIn(body)) guard.authorize(operation, admission, caller);
  return admission;
}

/** Whether it is an `initialize`, whose answer gives the client a session. */
function beginsSession(body: unknown): boolean {
  return isObject(body) && body.method === "initialize";
}

interface CallerParts {
  readonly request: ConstructorParameters<typeof HttpSubscriptions>[1];
  readonly subscriptions: SubscriptionDeps;
  readonly closing: CloseSignal;
}

function callerFor(
  { services, guard, executor }: McpDeps,
  admission: Admission,
  { headers, url }: IncomingMessage,
  { request, subscriptions, closing }: CallerParts,
): HttpToolCaller {
  const { principal, requestsToday } = admission;
  // Since 2026-07-28 a client cancels by closing the response. Calls of older versions go on, as those would.
  const canCancel = headers["mcp-protocol-version"] === CANCELS_BY_CLOSING;
  return new HttpToolCaller(services.config, {
    // Each property by its name: a spread costs more than the rest of a simple call.
    run: async ({ operation, input, idempotencyKey, payment }) => {
      const signal = canCancel && !onlyReadsDatabase(operation) ? closing.signal : undefined;
      const audience = "agent";
      const call = {
        operation,
        json: input,
        idempotencyKey,
        audience,
        payment,
        principal,
        requestsToday,
        signal,
      } as const;
      try {
        return await executor.run(call);
      } catch (thrown) {
        throw guard.withChallenge(thrown, request.caller);
      }
    },
    allows: (operation) => allows(guard, operation, admission, request.caller),
    subscriptions: new HttpSubscriptions(subscriptions, request),
    idempotencyKey: headers["idempotency-key"] as string | undefined,
    toolsets: url === "/mcp" ? DEFAULT_TOOLSETS : toolsetsIn(new URLSearchParams(url!.split("?")[1]).get("toolsets")),
  });
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

/** The body is passed on beside the request, parsed, so that the adapter gets an empty one and copies nothing. */
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
  const { status, headers, text } = httpErrorOf(refusal, id, siteUrl);
  return new Response(text, { status, headers });
}
