import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import type { Admission, Caller, RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Executor } from "../../contract/executor.ts";
import type { OpenStreams } from "../../contract/open-streams.ts";
import { hasEnded, type McpSession } from "../../domain/projects/resource-subscriptions.ts";
import { BODIES } from "../../platform/body-limits.ts";
import { Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { JsonReader } from "../../platform/json/json-reader.ts";
import { type RunEvery, runEvery } from "../../platform/run-every.ts";
import { addressOf, credentialsOf } from "../http-server/caller.ts";
import { type CloseSignal, closeSignal } from "../http-server/close-signal.ts";
import { answerPreflight, CORS } from "../http-server/cors.ts";
import { withJson } from "../http-server/json-body.ts";
import { sendResponse, type TextResponse } from "../http-server/send-response.ts";
import type { McpLog } from "./caller.ts";
import { mcpEndpoint, type Serving } from "./endpoint.ts";
import { classify } from "./era.ts";
import { asEventsError } from "./events/serve.ts";
import { EventStreams, type StreamRequest } from "./events/streams.ts";
import { answerOnFastPath, type FastPathCall, fastPathCallIn } from "./fast-path.ts";
import { callerFor, type HttpToolCaller } from "./http-caller.ts";
import {
  eventsStreamIn,
  idOf,
  isObject,
  operationsIn,
  parseMessage,
  refuseRoundedIds,
  requestsIn,
} from "./messages.ts";
import { LIST_PROJECTS } from "./own-projects.ts";
import { ProjectUpdates } from "./project-updates.ts";
import { httpErrorOf } from "./protocol-error.ts";
import { METHODS, refuseOtherPaths, refuseUnlessPost } from "./request-form.ts";
import { createMcpServer } from "./server.ts";
import { SessionStreams } from "./session-stream.ts";
import { type SubscriptionDeps, sessionOf } from "./subscriptions.ts";

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
   * Serves something other than the operations, through the SDK alone: for the conformance fixtures, and for the
   * differential test of the fast path.
   */
  readonly serving?: Serving;
}

const HEADERS = {
  ...CORS,
  "Access-Control-Expose-Headers": `${CORS["Access-Control-Expose-Headers"]}, Mcp-Session-Id`,
  "Cache-Control": "no-store",
};

/** A session has a stream, and an end. */
const SESSION_METHODS = ["GET", "DELETE"];
const JSON_TYPE = { "Content-Type": "application/json" };
const PROTOCOL_HEADERS = ["Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"];

/** What every request of a process shares. */
interface Shared {
  readonly deps: McpDeps;
  readonly endpoint: ReturnType<typeof mcpEndpoint>;
  readonly subscriptions: SubscriptionDeps;
  readonly sessions: SessionStreams;
  readonly events: EventStreams;
  readonly stopping: AbortSignal;
}

/**
 * Handles `/mcp`. The caller is identified before the body is read, and authorized before the SDK gets the message, so
 * that 401, 403 and 429 are HTTP statuses. Plain tool calls are answered on the fast path, everything else by the SDK.
 */
export function mcpHandler(deps: McpDeps): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const { services, log } = deps;
  const serving = deps.serving ?? { serverFor: (caller) => createMcpServer(caller, log) };
  const { stopping = new AbortController().signal, every = runEvery, streams } = deps;
  // Every open stream listens to it.
  setMaxListeners(0, stopping);
  const subscriptions = { services, streams, updates: new ProjectUpdates({ db: services.db, log, every }) };
  const sessions = new SessionStreams(subscriptions);
  const events = new EventStreams({ services, streams, log, every });
  const shared = { deps, endpoint: mcpEndpoint(serving, log), subscriptions, sessions, events, stopping };
  return async (req, res) => {
    if (req.method === "OPTIONS") return answerPreflight(res, [...SESSION_METHODS, ...METHODS], PROTOCOL_HEADERS);
    const exchange = new Exchange(shared, req, res);
    try {
      await exchange.answer();
    } catch (thrown) {
      exchange.refuse(thrown);
    } finally {
      exchange.dispose();
    }
  };
}

/** The caller of a request, as it was admitted, and the session that it names. */
interface Identified {
  readonly caller: Caller;
  readonly admission: Admission;
  readonly session: ReturnType<typeof sessionOf>;
}

/** A request to `/mcp`, and its response. */
class Exchange {
  readonly #shared: Shared;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #closing: CloseSignal;
  readonly #siteUrl: string;
  /** Headers of the response, whichever it is. */
  readonly #headers: Record<string, string> = { ...HEADERS };
  /** The id of the message; null until the message is read. */
  #id: string | number | null = null;

  constructor(shared: Shared, req: IncomingMessage, res: ServerResponse) {
    this.#shared = shared;
    this.#req = req;
    this.#res = res;
    this.#closing = closeSignal(res);
    this.#siteUrl = shared.deps.services.config.siteUrl;
  }

  /** @throws Refusal */
  async answer(): Promise<void> {
    const { guard, bodyTimeMs } = this.#shared.deps;
    refuseOtherPaths(this.#req);
    const caller = this.#caller();
    const admission = await guard.admit(caller);
    Object.assign(this.#headers, admission.headers);
    const { principal } = admission;
    const session = sessionOf(this.#req, principal);
    if (session && (await hasEnded(this.#shared.deps.services.db, session)))
      throw new Refusal("not_found", "This session has ended. Begin another one: send `initialize` without its id.");
    if (session && SESSION_METHODS.includes(this.#req.method!)) {
      guard.authorize(LIST_PROJECTS, admission, caller);
      return this.#answerSession(session, caller);
    }
    refuseUnlessPost(this.#req);
    const max = principal ? BODIES.submission : BODIES.anonymousEstimate;
    const identified = { caller, admission, session };
    await withJson(this.#req, this.#res, { max, timeMs: bodyTimeMs }, (document) =>
      this.#answerMessage(document, identified),
    );
  }

  refuse(thrown: unknown): void {
    if (!(thrown instanceof Refusal)) this.#shared.deps.log.error({ err: thrown }, "a protocol message failed");
    this.#send(httpErrorOf(toRefusal(thrown), this.#id, this.#siteUrl));
  }

  dispose(): void {
    this.#closing.dispose();
  }

  #caller(): Caller {
    const { authorization, apiKey } = credentialsOf(this.#req);
    const ip = addressOf(this.#req, this.#shared.deps.services.config.trustProxy);
    return { authorization, apiKey, ip, host: this.#req.headers.host, resource: "/mcp", calledAs: this.#req.url };
  }

  /** GET opens the stream of a session, DELETE ends the session. */
  async #answerSession(session: McpSession, caller: Caller): Promise<void> {
    const { sessions, stopping } = this.#shared;
    this.#setHeaders();
    if (this.#req.method === "GET") {
      const ending = closeSignal(this.#res, stopping);
      const exchange = { req: this.#req, res: this.#res };
      return sessions.serve(exchange, { session, caller, signal: ending.signal }).finally(ending.dispose);
    }
    await sessions.end(session);
    this.#res.writeHead(204).end();
  }

  async #answerMessage(document: JsonReader, { caller, admission: first, session }: Identified): Promise<void> {
    const { deps, stopping, subscriptions } = this.#shared;
    const body = parseMessage(document);
    this.#id = idOf(body);
    refuseRoundedIds(body);
    const admission = await admitAll(deps.guard, caller, first, body);
    Object.assign(this.#headers, admission.headers);
    const request = { caller, principal: first.principal, session, stopping };
    const tools = callerFor(deps, admission, this.#req, { request, subscriptions, closing: this.#closing });
    const plainCall = deps.serving ? null : fastPathCallIn(this.#req, body);
    if (plainCall) return this.#answerPlainCall(plainCall, tools);
    const stream = deps.serving ? null : eventsStreamIn(body);
    if (stream && first.principal && classify(this.#req, body as Record<string, unknown>))
      return this.#answerStream({ ...stream, accountId: first.principal.accountId, caller });
    if (!deps.serving && first.principal && beginsSession(body) && tools.allows(LIST_PROJECTS))
      this.#headers["Mcp-Session-Id"] = newId("mcp");
    await this.#answerBySdk(body, tools);
  }

  async #answerStream(request: Omit<StreamRequest, "signal">): Promise<void> {
    const { deps, events, stopping } = this.#shared;
    const ending = closeSignal(this.#res, stopping);
    try {
      const serve = await events.open({ ...request, signal: ending.signal });
      this.#setHeaders();
      await serve(this.#res);
    } catch (thrown) {
      if (this.#res.headersSent) throw thrown;
      const { code, message, data } = asEventsError(thrown, this.#siteUrl, deps.log);
      const text = JSON.stringify({ jsonrpc: "2.0", id: this.#id, error: { code, message, data } });
      this.#send({ status: 200, headers: JSON_TYPE, text });
    } finally {
      ending.dispose();
    }
  }

  async #answerPlainCall(call: FastPathCall, tools: HttpToolCaller): Promise<void> {
    const text = await answerOnFastPath(call, tools, this.#shared.deps.log);
    const refusal = tools.httpRefusal;
    this.#send(refusal ? httpErrorOf(refusal, this.#id, this.#siteUrl) : { status: 200, headers: JSON_TYPE, text });
  }

  async #answerBySdk(body: unknown, tools: HttpToolCaller): Promise<void> {
    const { deps, endpoint, stopping } = this.#shared;
    this.#setHeaders();
    // A service that stops waits for its connections to close, but a stream's connection is kept alive for more requests.
    this.#res.once("finish", () => stopping.aborted && this.#req.socket.destroySoon());
    await adapt(this.#req, this.#res, deps.log, async (request) => {
      const response = await endpoint(request, body, tools).catch((thrown) => {
        if (thrown instanceof Refusal) return asResponse(thrown, this.#id, this.#siteUrl);
        throw thrown;
      });
      const refusal = Array.isArray(body) ? undefined : tools.httpRefusal;
      return refusal ? asResponse(refusal, this.#id, this.#siteUrl) : response;
    });
  }

  #setHeaders(): void {
    for (const [name, value] of Object.entries(this.#headers)) this.#res.setHeader(name, value);
  }

  #send(response: TextResponse): void {
    sendResponse(this.#req, this.#res, { ...response, headers: { ...this.#headers, ...response.headers } });
  }
}

/** Counts each request of a batch, and refuses the batch for one call that is not authorized. @throws Refusal */
async function admitAll(guard: RequestGuard, caller: Caller, first: Admission, body: unknown): Promise<Admission> {
  let admission = first;
  for (let counted = 1; counted < requestsIn(body); counted++) admission = await guard.admit(caller);
  for (const operation of operationsIn(body)) guard.authorize(operation, admission, caller);
  return admission;
}

/** Whether the message is an `initialize`, whose answer gives the client a session. */
function beginsSession(body: unknown): boolean {
  return isObject(body) && body.method === "initialize";
}

/** Lets the SDK answer a request whose body was parsed already: the adapter gets an empty body and copies nothing. */
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
