import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Admission, RequestGuard } from "../src/contract/authenticate.ts";
import { type Answer, type Services, statusOf, stream } from "../src/contract/call.ts";
import type { Executor } from "../src/contract/executor.ts";
import { withBody } from "../src/surfaces/http-server/body.ts";
import { addressOf, credentialsOf, paymentOf } from "../src/surfaces/http-server/caller.ts";
import { type CloseSignal, closeSignal } from "../src/surfaces/http-server/close-signal.ts";
import { answerPreflight, CORS } from "../src/surfaces/http-server/cors.ts";
import { refuseUnlessJson } from "../src/surfaces/http-server/json-body.ts";
import type { Log } from "../src/surfaces/http-server/log.ts";
import { sendResponse } from "../src/surfaces/http-server/send-response.ts";
import { sendStream } from "../src/surfaces/http-server/send-stream.ts";
import { isTagged, tagTest } from "./entity-tag.ts";
import { sendError } from "./errors.ts";
import type { FastPath } from "./fast-path.ts";
import { bodyLimit, inputOfBody, inputOfPath, inputOfQuery } from "./input.ts";
import { representationFor } from "./representation.ts";
import { type Match, match, methodsAt, PREFIX } from "./router.ts";

export interface RestDeps {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: Log;
  /** Keeps answers for requests to come. */
  readonly fastPath: FastPath;
  /** Longest time for receiving a body, in ms. */
  readonly bodyTimeMs?: number | undefined;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Handles every request under `/api/v1`. */
export function restHandler(deps: RestDeps): Handler {
  const { services, guard, log, fastPath } = deps;
  const { siteUrl, trustProxy } = services.config;
  return async (req, res) => {
    const [address = "", query = ""] = split(req.url!, "?");
    const path = address.slice(PREFIX.length);
    if (req.method === "OPTIONS") return answerPreflight(res, methodsAt(path));
    let admission: Admission | null = null;
    const closing = closeSignal(res);
    try {
      const ip = addressOf(req, trustProxy);
      const version = fastPath.versionAt(req);
      const caller = { ...credentialsOf(req), ip, host: req.headers.host, resource: PREFIX, version } as const;
      admission = await guard.admit(caller);
      const isRoot = path.replace("/", "") === "" && (req.method === "GET" || req.method === "HEAD");
      if (isRoot) return sendResponse(req, res, rootOf(siteUrl, admission));
      const found = match(req.method!, path);
      guard.authorize(found.operation, admission, caller);
      await answer(deps, { req, res, query, found, admission, closing });
    } catch (thrown) {
      sendError(req, res, thrown, { siteUrl, log, headers: admission?.headers ?? {} });
    } finally {
      closing.dispose();
    }
  };
}

/** The answer at `/api/v1` itself, which leads somebody who only has the address to everything else. */
function rootOf(siteUrl: string, { headers }: Admission) {
  const text = JSON.stringify({
    name: "Beckon",
    openapi: `${siteUrl}/openapi.json`,
    docs: `${siteUrl}/docs`,
    auth: `${siteUrl}/auth.md`,
  });
  return { status: 200, headers: { ...CORS, ...headers, "Content-Type": "application/json; charset=utf-8" }, text };
}

interface RestRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly query: string;
  readonly found: Match;
  readonly admission: Admission;
  readonly closing: CloseSignal;
}

async function answer(deps: RestDeps, request: RestRequest): Promise<void> {
  const { services, executor, fastPath, bodyTimeMs } = deps;
  const { req, res, found, admission, query, closing } = request;
  const { operation } = found;
  // A read that only asks the database is over before a client could be missed.
  const signal = operation.effect === "read" && !operation.readsWeb ? undefined : closing.signal;
  const { principal, requestsToday } = admission;
  const idempotencyKey = req.headers["idempotency-key"] as string | undefined;
  const payment = operation.takesPayment ? paymentOf(req) : undefined;
  const call = { operation, idempotencyKey, payment, audience: "program", principal, requestsToday, signal } as const;
  const headers: OutgoingHttpHeaders = { ...CORS, ...admission.headers, "Cache-Control": "no-store", Vary: "Accept" };

  const representation = representationFor(found, req.headers.accept);
  if (representation) {
    const { mediaType } = representation;
    const pieces = await stream(services, { ...call, input: inputOfQuery(found, query).json }, mediaType);
    return sendStream(req, res, { ...headers, "Content-Type": `${mediaType}; charset=utf-8` }, pieces);
  }

  if (operation.rest.method !== "GET") {
    const answer = await (operation.rest.method === "POST" ? fromBody() : fromPath());
    return send(answer, answer.text);
  }
  const ifNoneMatch = isTagged(operation) ? tagTest(req.headers["if-none-match"]) : undefined;
  const kept = principal ? fastPath.keptOf(operation, principal, req) : undefined;
  const answered = await executor.run({ ...call, ifNoneMatch, keptTag: kept?.tag, ...inputOfQuery(found, query) });
  if (kept && kept.tag === answered.tag) kept.version = fastPath.versionAt(req);
  else if (principal && answered.text !== "") fastPath.keep(operation, principal, req, answered);
  send(answered, answered.isKept ? (kept!.body as Buffer) : answered.text);

  function send({ text, tag, isUnchanged, replayed, headers: own }: Answer, content: string | Buffer): void {
    if (tag !== undefined) {
      // It may be kept, and is asked for anew each time.
      headers["Cache-Control"] = "private, no-cache";
      headers.ETag = tag;
    }
    if (isUnchanged) return void res.writeHead(304, headers).end();
    headers["Content-Type"] = "application/json; charset=utf-8";
    if (own) Object.assign(headers, own);
    if (replayed) headers["Idempotent-Replayed"] = "true";
    sendResponse(req, res, { status: statusOf(operation, { text, replayed }), headers, text: content });
  }

  function fromPath() {
    return executor.run({ ...call, ...inputOfPath(found, query) });
  }

  function fromBody() {
    refuseUnlessJson(req);
    const limits = { max: bodyLimit(operation, principal), timeMs: bodyTimeMs };
    return withBody(req, res, limits, (body) => executor.run({ ...call, ...inputOfBody(found, query, body) }));
  }
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}
