import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Admission, Caller, RequestGuard } from "../src/contract/authenticate.ts";
import { type Services, statusOf, stream } from "../src/contract/call.ts";
import type { Executor } from "../src/contract/executor.ts";
import { hasBody, onlyReadsDatabase } from "../src/contract/operation.ts";
import { BODIES } from "../src/platform/body-limits.ts";
import { withBody } from "../src/surfaces/http-server/body.ts";
import { addressOf, credentialsOf, idempotencyKeyIn, paymentOf } from "../src/surfaces/http-server/caller.ts";
import { closeSignal } from "../src/surfaces/http-server/close-signal.ts";
import { answerPreflight, CORS } from "../src/surfaces/http-server/cors.ts";
import { isJson, refuseUnlessJson, withJson } from "../src/surfaces/http-server/json-body.ts";
import type { Log } from "../src/surfaces/http-server/log.ts";
import { sendResponse } from "../src/surfaces/http-server/send-response.ts";
import { sendStream } from "../src/surfaces/http-server/send-stream.ts";
import { isTagged, matchesTag, tagOf } from "./entity-tag.ts";
import { sendError } from "./errors.ts";
import { bodyLimit, inputOfBody, inputOfLog, inputOfPath, inputOfQuery, LOG_TYPES } from "./input.ts";
import { JSON_TYPE, readHeaders } from "./read-headers.ts";
import { representationFor } from "./representation.ts";
import { type Match, match, methodsAt, PREFIX } from "./router.ts";

export interface RestDeps {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly log: Log;
  /** Longest time for receiving a body, in ms. */
  readonly bodyTimeMs?: number | undefined;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Handles every request under `/api/v1`. */
export function restHandler(deps: RestDeps): Handler {
  const { services, guard, log } = deps;
  const { siteUrl, trustProxy } = services.config;
  return async (req, res) => {
    const [address = "", query = ""] = split(req.url!, "?");
    const path = address.slice(PREFIX.length);
    if (req.method === "OPTIONS") return answerPreflight(res, methodsAt(path));
    let headers = {};
    let caller: Caller | null = null;
    try {
      const { authorization, apiKey } = credentialsOf(req);
      caller = { authorization, apiKey, ip: addressOf(req, trustProxy), host: req.headers.host, resource: PREFIX };
      const admission = await guard.admit(caller);
      headers = admission.headers;
      const isRoot = (path === "" || path === "/") && (req.method === "GET" || req.method === "HEAD");
      if (isRoot) return sendResponse(req, res, rootOf(siteUrl, admission));
      const found = match(req.method!, path);
      guard.authorize(found.operation, admission, caller);
      await answer(deps, { req, res, query, found, admission });
    } catch (thrown) {
      const refused = caller ? guard.withChallenge(thrown, caller) : thrown;
      sendError(req, res, refused, { siteUrl, log, headers });
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
  return { status: 200, headers: { ...CORS, ...headers, "Content-Type": JSON_TYPE }, text };
}

interface RestRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly query: string;
  readonly found: Match;
  readonly admission: Admission;
}

function answer(deps: RestDeps, request: RestRequest): Promise<void> {
  const { req, found } = request;
  const representation = representationFor(found, req.headers.accept);
  if (representation) return answerStream(deps, request, representation.mediaType);
  return found.operation.rest.method === "GET" ? answerGet(deps, request) : answerChange(deps, request);
}

/**
 * An operation with GET reads the database, and is over before a client could be missed. A client that has the answer gets
 * 304.
 */
async function answerGet({ executor }: RestDeps, request: RestRequest): Promise<void> {
  const { req, res, found, query, admission } = request;
  const answer = await executor.run({ ...callOf(request), input: inputOfQuery(found, query) });
  const tag = isTagged(found.operation) ? tagOf(answer.text) : undefined;
  const headers = readHeaders(admission, tag);
  if (tag !== undefined && matchesTag(req.headers["if-none-match"], tag)) return void res.writeHead(304, headers).end();
  headers.push("Content-Type", JSON_TYPE);
  sendResponse(req, res, { status: statusOf(found.operation, answer), headers, text: answer.text });
}

/** An operation with POST, PATCH or DELETE. It is told when the client goes away. */
async function answerChange({ executor, bodyTimeMs }: RestDeps, request: RestRequest): Promise<void> {
  const { req, res, found, query, admission } = request;
  const { operation } = found;
  const closing = closeSignal(res);
  const call = {
    ...callOf(request),
    idempotencyKey: idempotencyKeyIn(req),
    payment: operation.takesPayment ? paymentOf(req) : undefined,
    signal: onlyReadsDatabase(operation) ? undefined : closing.signal,
  };
  try {
    const answer = await (hasBody(operation) ? fromBody() : fromPath());
    const { text, replayed } = answer;
    const headers: OutgoingHttpHeaders = { ...headersOf(request), "Content-Type": JSON_TYPE, ...answer.headers };
    if (replayed) headers["Idempotent-Replayed"] = "true";
    sendResponse(req, res, { status: statusOf(operation, answer), headers, text });
  } finally {
    closing.dispose();
  }

  async function fromPath() {
    return executor.run({ ...call, input: inputOfPath(found, query) });
  }

  function fromBody() {
    if (operation.rest.bodyField !== undefined) {
      refuseUnlessJson(req, LOG_TYPES);
      const limits = { max: BODIES.log, timeMs: bodyTimeMs, mayBePacked: true };
      return withBody(req, res, limits, (body) =>
        executor.run({ ...call, input: inputOfLog(found, query, body, isJson(req)) }),
      );
    }
    refuseUnlessJson(req);
    const limits = { max: bodyLimit(operation, admission.principal), timeMs: bodyTimeMs };
    return withJson(req, res, limits, async (body) =>
      executor.run({ ...call, input: inputOfBody(found, query, body) }),
    );
  }
}

async function answerStream({ services }: RestDeps, request: RestRequest, mediaType: string): Promise<void> {
  const { req, res, found, query } = request;
  const pieces = await stream(services, { ...callOf(request), input: inputOfQuery(found, query) }, mediaType);
  await sendStream(req, res, { ...headersOf(request), "Content-Type": `${mediaType}; charset=utf-8` }, pieces);
}

function callOf({ found: { operation }, admission: { principal, requestsToday } }: RestRequest) {
  return { operation, audience: "program", principal, requestsToday } as const;
}

function headersOf({ admission }: RestRequest): OutgoingHttpHeaders {
  return { ...CORS, ...admission.headers, "Cache-Control": "no-store", Vary: "Accept" };
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}
