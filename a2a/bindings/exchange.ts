import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admission, Caller } from "../../src/contract/authenticate.ts";
import { BODIES } from "../../src/platform/body-limits.ts";
import type { JsonReader } from "../../src/platform/json/json-reader.ts";
import { idempotencyKeyIn } from "../../src/surfaces/http-server/caller.ts";
import type { CloseSignal } from "../../src/surfaces/http-server/close-signal.ts";
import { withJson } from "../../src/surfaces/http-server/json-body.ts";
import { sendResponse } from "../../src/surfaces/http-server/send-response.ts";
import type { A2aCall, A2aMethods } from "../methods.ts";
import type { Json } from "../wire.ts";
import type { WireError } from "./errors.ts";
import { type StartedStream, sendEvents } from "./sse.ts";

/** How a protocol binding reads and answers a request. */
export interface Binding {
  readonly allowed: readonly string[];
  answer(exchange: HttpExchange): Promise<void>;
  /** An error as the whole answer. */
  refusal(error: WireError): { readonly status: number; readonly contentType: string; readonly json: Json };
  /** An error as the last event of a stream. */
  event(error: WireError): Json;
}

export interface HttpExchangeDeps {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Below the prefix, without the query; "" at the prefix itself. */
  readonly path: string;
  readonly caller: Caller;
  readonly admission: Admission;
  readonly methods: A2aMethods;
  /** Headers that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly closing: Pick<CloseSignal, "signal">;
  readonly bodyTimeMs?: number | undefined;
  readonly heartbeatMs: number;
  /** Encodes what was thrown as the last event of a stream. */
  readonly failure: (thrown: unknown) => Json;
}

/** One HTTP request and its answer, in either binding. */
export class HttpExchange {
  readonly req: IncomingMessage;
  readonly path: string;
  readonly methods: A2aMethods;
  readonly call: A2aCall;
  readonly #deps: HttpExchangeDeps;
  readonly #activated = new Set<string>();

  constructor(deps: HttpExchangeDeps) {
    const { req, path, methods, caller, admission, closing } = deps;
    this.req = req;
    this.path = path;
    this.methods = methods;
    this.#deps = deps;
    const activate = (uri: string) => void this.#activated.add(uri);
    this.call = {
      ...{ caller, admission, idempotencyKey: idempotencyKeyIn(req), extensions: extensionsOf(req), activate },
      // Made only for a call that can be stopped.
      get signal() {
        return closing.signal;
      },
    };
  }

  get query(): string {
    return this.req.url!.split("?", 2)[1] ?? "";
  }

  /** Reads the body (docs/rules.md rule 14). A large one keeps its slot until `use` has ended. @throws Refusal */
  body<T>(use: (document: JsonReader) => Promise<T>): Promise<T> {
    const { req, res, admission, bodyTimeMs } = this.#deps;
    const max = admission.principal ? BODIES.submission : BODIES.anonymousEstimate;
    return withJson(req, res, { max, timeMs: bodyTimeMs }, use);
  }

  reply(contentType: string, json: unknown): void {
    const { req, res } = this.#deps;
    const headers = { ...this.#headers(), "Content-Type": contentType };
    sendResponse(req, res, { status: 200, headers, text: JSON.stringify(json) });
  }

  stream<T>(started: StartedStream<T>, encode: (event: T) => unknown): Promise<void> {
    const { res, closing, heartbeatMs, failure } = this.#deps;
    return sendEvents(res, started, {
      headers: this.#headers(),
      encode: (event) => JSON.stringify(encode(event)),
      encodeError: (thrown) => JSON.stringify(failure(thrown)),
      signal: closing.signal,
      heartbeatMs,
    });
  }

  /** The headers, and the extensions that the answer uses. Clients of 0.3 read the older name. */
  #headers(): Readonly<Record<string, string>> {
    const { headers } = this.#deps;
    if (this.#activated.size === 0) return headers;
    const uris = [...this.#activated].join(", ");
    return { ...headers, "A2A-Extensions": uris, "X-A2A-Extensions": uris };
  }
}

/** Extensions that the client asks to activate (A2A 1.0 section 3.2.6; in 0.3 the header begins with `X-`). */
function extensionsOf({ headers }: IncomingMessage): string[] {
  const lists = [headers["a2a-extensions"], headers["x-a2a-extensions"]];
  if (lists.every((list) => list === undefined)) return [];
  const uris = lists.flatMap((list) => String(list ?? "").split(",")).map((uri) => uri.trim());
  return [...new Set(uris.filter((uri) => uri !== ""))];
}
