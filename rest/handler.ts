import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Admission, Caller, RequestGuard } from "../src/contract/authenticate.ts";
import { type Services, statusOf, stream } from "../src/contract/call.ts";
import type { Executor } from "../src/contract/executor.ts";
import { onlyReadsDatabase } from "../src/contract/operation.ts";
import { type Awaitable, andThen, attempt } from "../src/platform/awaitable.ts";
import { withBody } from "../src/surfaces/http-server/body.ts";
import { addressOf, credentialsOf, paymentOf } from "../src/surfaces/http-server/caller.ts";
import { closeSignal } from "../src/surfaces/http-server/close-signal.ts";
import { answerPreflight, CORS } from "../src/surfaces/http-server/cors.ts";
import { refuseUnlessJson } from "../src/surfaces/http-server/json-body.ts";
import type { Log } from "../src/surfaces/http-server/log.ts";
import { sendResponse } from "../src/surfaces/http-server/send-response.ts";
import { sendStream } from "../src/surfaces/http-server/send-stream.ts";
import { isTagged, tagTest } from "./entity-tag.ts";
import { sendError } from "./errors.ts";
import type { FastPath } from "./fast-path.ts";
import { bodyLimit, inputOfBody, inputOfPath, inputOfQuery } from "./input.ts";
import type { WholeBody } from "./kept-answers.ts";
import { JSON_TYPE, readHeaders } from "./read-headers.ts";
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

type Handler = (req: IncomingMessage, res: ServerResponse) => Awaitable<void>;

/** Handles every request under `/api/v1`. */
export function restHandler(deps: RestDeps): Handler {
  const { services, guard, log, fastPath } = deps;
  const { siteUrl, trustProxy } = services.config;
  return (req, res) => {
    const [address = "", query = ""] = split(req.url!, "?");
    const path = address.slice(PREFIX.length);
    if (req.method === "OPTIONS") return answerPreflight(res, methodsAt(path));
    let headers = {};
    let known: Caller | null = null;
    const work = () => {
      const { authorization, apiKey } = credentialsOf(req);
      const ip = addressOf(req, trustProxy);
      const { host } = req.headers;
      const { version, principal } = fastPath.seen(req) ?? {};
      const caller = { authorization, apiKey, ip, host, resource: PREFIX, version, principal } as const;
      known = caller;
      return andThen(guard.admit(caller), (admission) => {
        headers = admission.headers;
        const isRoot = (path === "" || path === "/") && (req.method === "GET" || req.method === "HEAD");
        if (isRoot) return sendResponse(req, res, rootOf(siteUrl, admission));
        const found = match(req.method!, path);
        guard.authorize(found.operation, admission, caller);
        return answer(deps, { req, res, query, found, admission });
      });
    };
    return attempt(work, (thrown) => {
      const refused = known ? guard.withChallenge(thrown, known) : thrown;
      return sendError(req, res, refused, { siteUrl, log, headers });
    });
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

function answer(deps: RestDeps, request: RestRequest): Awaitable<void> {
  const { req, found } = request;
  const representation = representationFor(found, req.headers.accept);
  if (representation) return answerStream(deps, request, representation.mediaType);
  return found.operation.rest.method === "GET" ? answerGet(deps, request) : answerChange(deps, request);
}

/** An operation with GET reads the database, and is over before a client could be missed. */
function answerGet({ executor, fastPath }: RestDeps, request: RestRequest): Awaitable<void> {
  const { req, found, query, admission } = request;
  const { operation } = found;
  const { principal, requestsToday } = admission;
  const ifNoneMatch = isTagged(operation) ? tagTest(req.headers["if-none-match"]) : undefined;
  const constant = fastPath.constantOf(operation);
  if (constant) return sendRead(request, 200, constant.body as WholeBody, constant.tag, ifNoneMatch);
  const kept = principal ? fastPath.keptOf(operation, principal, req) : undefined;
  const { json } = inputOfQuery(found, query);
  const keptTag = kept?.tag;
  const call = { operation, json, audience: "program", principal, requestsToday, ifNoneMatch, keptTag } as const;
  return andThen(executor.run(call), (answer) => {
    const { text, tag, isKept } = answer;
    if (kept && kept.tag === tag) fastPath.renew(kept, req);
    else if (text !== "") fastPath.keep(operation, principal, req, answer);
    sendRead(request, statusOf(operation, answer), isKept ? (kept!.body as WholeBody) : text, tag, ifNoneMatch);
  });
}

/** Sends an answer, or 304 where the client has it. */
function sendRead(
  { req, res, admission }: RestRequest,
  status: number,
  text: string | Buffer,
  tag: string | undefined,
  ifNoneMatch: ((tag: string) => boolean) | undefined,
): void {
  const headers = readHeaders(admission, tag);
  if (tag !== undefined && ifNoneMatch!(tag)) return void res.writeHead(304, headers).end();
  headers.push("Content-Type", JSON_TYPE);
  sendResponse(req, res, { status, headers, text });
}

/** An operation with POST or DELETE. It is told when the client goes away. */
async function answerChange({ executor, bodyTimeMs }: RestDeps, request: RestRequest): Promise<void> {
  const { req, res, found, query, admission } = request;
  const { operation } = found;
  const closing = closeSignal(res);
  const call = {
    ...callOf(request),
    idempotencyKey: req.headers["idempotency-key"] as string | undefined,
    payment: operation.takesPayment ? paymentOf(req) : undefined,
    signal: onlyReadsDatabase(operation) ? undefined : closing.signal,
  };
  try {
    const answer = await (operation.rest.method === "POST" ? fromBody() : fromPath());
    const { text, replayed } = answer;
    const headers: OutgoingHttpHeaders = { ...headersOf(request), "Content-Type": JSON_TYPE, ...answer.headers };
    if (replayed) headers["Idempotent-Replayed"] = "true";
    sendResponse(req, res, { status: statusOf(operation, answer), headers, text });
  } finally {
    closing.dispose();
  }

  async function fromPath() {
    return executor.run({ ...call, ...inputOfPath(found, query) });
  }

  function fromBody() {
    refuseUnlessJson(req);
    const limits = { max: bodyLimit(operation, admission.principal), timeMs: bodyTimeMs };
    return withBody(req, res, limits, async (body) => executor.run({ ...call, ...inputOfBody(found, query, body) }));
  }
}

async function answerStream({ services }: RestDeps, request: RestRequest, mediaType: string): Promise<void> {
  const { req, res, found, query } = request;
  const pieces = await stream(services, { ...callOf(request), input: inputOfQuery(found, query).json }, mediaType);
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
