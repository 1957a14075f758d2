import type { IncomingMessage, ServerResponse } from "node:http";
import type { KnownAdmission, RequestGuard } from "../src/contract/authenticate.ts";
import type { Answer, Services } from "../src/contract/call.ts";
import type { AnyOperation } from "../src/contract/operation.ts";
import type { Principal } from "../src/platform/principal.ts";
import type { Tracer } from "../src/platform/telemetry.ts";
import { hasBody } from "../src/surfaces/http-server/body.ts";
import { type Log, logsRequests } from "../src/surfaces/http-server/log.ts";
import { refuseForeignOrigin } from "../src/surfaces/http-server/origin.ts";
import { endWith } from "../src/surfaces/http-server/send-response.ts";
import { statusClassOf } from "../src/surfaces/http-server/trace-request.ts";
import { tagTest } from "./entity-tag.ts";
import { callerOf, isCounted, type KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import { JSON_TYPE, readHeaders } from "./read-headers.ts";
import { PREFIX } from "./router.ts";

type KnownCaller = NonNullable<ReturnType<RequestGuard["knownCaller"]>>;

/** What is known of a request that the pipeline answers. */
interface Seen {
  /** Of the database, when the request came. */
  readonly version: number;
  /** Who makes it, if the credential is known. */
  readonly principal: Principal | undefined;
}

export interface FastPathDeps {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly log: Log;
  readonly tracer: Tracer;
}

/**
 * Who polls asks for the same answer over and over. While nothing was committed since it was read that may have changed the
 * caller's account, it is sent from memory, ahead of the pipeline and with the same headers and bytes:
 * test/rest/fast-path.test.ts and test/rest/memory-answers.test.ts hold the two equal. The request is counted and limited as
 * ever, and a credential that was revoked is not known any more, because that was such a commit. Whatever is not plain, or
 * would be refused, goes through the pipeline.
 *
 * PostgreSQL cannot say without a round trip whether anything was committed. There the answers are kept that have a version
 * (`Operation.version`), and are sent as long as a query finds the same.
 */
export class FastPath {
  readonly #deps: FastPathDeps;
  readonly #answers: KeptAnswers;
  /** Names and values of the headers that every response has. */
  readonly #first: readonly string[];
  readonly #names = new WeakMap<Principal, string>();
  readonly #seen = new WeakMap<IncomingMessage, Seen>();

  /** @param headers that every response has */
  constructor(deps: FastPathDeps, headers: Readonly<Record<string, string>>) {
    this.#deps = deps;
    this.#answers = new KeptAnswers(deps.services.clock);
    this.#first = Object.entries(headers).flat();
  }

  /** Answers the request, if its answer is in memory. @returns false where the pipeline has to; nothing is counted then */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const { services, tracer, log } = this.#deps;
    const { db, config } = services;
    if (!db.version || !tracer.recordRequest || logsRequests(log) || !isPlainRead(req)) return false;
    const startedAt = performance.now();
    try {
      refuseForeignOrigin(req, config);
      const caller = this.#callerOf(req);
      if (!caller || !this.#answerKnown(caller, req, res)) {
        this.#seen.set(req, { version: db.version(), principal: caller?.principal });
        return false;
      }
    } catch {
      // The pipeline meets the same error, and answers it.
      return false;
    }
    const record = () =>
      tracer.recordRequest!({ surface: "rest", class: statusClassOf(res) }, (performance.now() - startedAt) / 1000);
    // Most answers are with the system at once; a long one may wait for the client.
    if (res.writableFinished) record();
    else res.once("close", record);
    return true;
  }

  #callerOf({ headers: { authorization, "x-api-key": apiKey } }: IncomingMessage): KnownCaller | null {
    return this.#deps.guard.knownCaller(PREFIX, { authorization, apiKey: apiKey as string | undefined });
  }

  #answerKnown(caller: KnownCaller, req: IncomingMessage, res: ServerResponse): boolean {
    const { guard } = this.#deps;
    const { principal } = caller;
    const kept = this.#answers.constant(req.url!) ?? this.#latest(caller, req.url!);
    if (!kept) return false;
    const admission = guard.admitKnown(principal);
    if (admission) this.#send(req, res, kept, admission);
    return admission !== null;
  }

  /** The caller's latest answer, if its account is still the same. */
  #latest({ principal, version }: KnownCaller, url: string): KeptAnswer | null {
    const kept = this.#answers.find(this.#nameOf(principal), url);
    return kept?.version !== undefined && kept.version >= version ? kept : null;
  }

  /** Of a known caller, whose principal is the same object at each of its calls: its name is made once. */
  #nameOf(principal: Principal): string {
    const known = this.#names.get(principal);
    if (known !== undefined) return known;
    const name = callerOf(principal);
    this.#names.set(principal, name);
    return name;
  }

  #send({ headers }: IncomingMessage, res: ServerResponse, kept: KeptAnswer, admission: KnownAdmission): void {
    const { body, bytes, tag } = kept;
    const all = readHeaders(admission, tag, this.#first);
    if (tag !== undefined && tagTest(headers["if-none-match"])(tag)) return void res.writeHead(304, all).end();
    const count = isCounted(body) ? String(admission.requestsToday) : "";
    const content = isCounted(body) ? `${body.before}${count}${body.after}` : body;
    const length = bytes + count.length;
    all.push("Content-Type", JSON_TYPE, "Content-Length", String(length), "X-Content-Type-Options", "nosniff");
    endWith(res.writeHead(200, all), content, length);
  }

  /** What is known of a request that the pipeline answers; undefined where its answer is not to be kept. */
  seen(req: IncomingMessage): Seen | undefined {
    return this.#seen.get(req);
  }

  /** The answer of an operation that has the same for everybody, whoever asked before; calls that are traced make it anew. */
  constantOf(operation: AnyOperation): KeptAnswer | undefined {
    if (!operation.isConstant || !this.#deps.tracer.recordRequest) return undefined;
    return this.#answers.constant(addressOf(operation));
  }

  /** The answer that was kept of a read which says by a query whether it has changed; otherwise nothing. */
  keptOf({ version }: AnyOperation, principal: Principal, req: IncomingMessage): KeptAnswer | undefined {
    return version && this.#answers.find(callerOf(principal), req.url!);
  }

  /** The kept answer is still that of the pipeline, as of this request. */
  renew(kept: KeptAnswer, req: IncomingMessage): void {
    kept.version = this.seen(req)?.version ?? kept.version;
  }

  /** Keeps the answer of the pipeline, if it may be sent again. */
  keep(operation: AnyOperation, principal: Principal | null, req: IncomingMessage, { text, tag }: Answer): void {
    if (operation.isConstant) return void this.#answers.keepConstant(addressOf(operation), { text, tag });
    const version = this.seen(req)?.version;
    const isComparable = version !== undefined || operation.version !== undefined;
    if (!principal || !operation.isCacheable || !isComparable || !isPlainRead(req)) return;
    this.#answers.keep(operation, { caller: callerOf(principal), url: req.url! }, { text, tag, version });
  }
}

/** The path of an operation whose path has no parameters. */
function addressOf({ rest }: AnyOperation): string {
  return `${PREFIX}${rest.path}`;
}

/** Values of Accept that many clients send, and that no operation has another representation for. */
const PLAIN_ACCEPT = new Set([undefined, "*/*", "application/json", "application/json, text/plain, */*"]);

/** Whether a request by GET is nothing but a read of one caller, whose credential is in one header. */
function isPlainRead(req: IncomingMessage): boolean {
  const { method, url, headers } = req;
  if (method !== "GET" || !url!.startsWith(PREFIX) || !PLAIN_ACCEPT.has(headers.accept) || hasBody(req)) return false;
  const { authorization, "x-api-key": apiKey } = headers;
  if (apiKey !== undefined) return authorization === undefined && !hasRepeated(req, 1);
  return authorization?.startsWith("Bearer ") === true && !hasRepeated(req, 2);
}

/** Whether one of the headers is sent twice whose second value Node.js drops. @param sent how many of them there are to be */
function hasRepeated({ rawHeaders }: IncomingMessage, sent: number): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 || name.length === 13) {
      const lower = name.toLowerCase();
      if (lower === "host" || lower === "authorization") count++;
    }
  }
  return count !== sent;
}
