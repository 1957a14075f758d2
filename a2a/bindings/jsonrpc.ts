import { Refusal } from "../../src/platform/errors/errors.ts";
import { refuseUnlessJson } from "../../src/surfaces/http-server/json-body.ts";
import type { Json } from "../wire.ts";
import { dispatch, isMethod, type MethodResult } from "./dispatch.ts";
import { Fault, type WireError } from "./errors.ts";
import type { Binding, HttpExchange } from "./exchange.ts";
import { jsonOf } from "./json.ts";
import { unsupportedVersion, type Version, versionOf } from "./version.ts";

type Id = string | number | null;

interface JsonRpcRequest {
  readonly id: Id;
  readonly method: string;
  readonly params: unknown;
}

const MAX_ID_LENGTH = 256;

/**
 * The JSON-RPC binding of A2A 1.0 (section 9), and of 0.3 for clients that name no version. The answer of a method is
 * HTTP 200, also where it is an error; a refusal of the HTTP request itself has its own status.
 */
export class JsonRpc implements Binding {
  readonly allowed = ["POST", "OPTIONS"];
  #id: Id = null;
  #version: Version = "1.0";

  /** @throws Fault, Refusal, errors of the protocol */
  async answer(exchange: HttpExchange): Promise<void> {
    refuseUnlessPost(exchange);
    const outcome = await exchange.body((document) => this.#run(exchange, jsonOf(document)));
    if ("result" in outcome) exchange.reply("application/json", this.#envelope({ result: outcome.result }));
    else return exchange.stream(outcome.events, (result) => this.#envelope({ result }));
  }

  refusal(error: WireError) {
    return {
      status: error.isHttpRefusal ? error.status : 200,
      contentType: "application/json",
      json: this.event(error),
    };
  }

  /** `data` is a list of details in 1.0; clients of 0.3 know code and message only. */
  event({ code, message, details }: WireError): Json {
    return this.#envelope({ error: { code, message, ...(this.#version === "1.0" ? { data: details } : {}) } });
  }

  async #run(exchange: HttpExchange, body: unknown): Promise<MethodResult> {
    const request = requestIn(body, (id) => {
      this.#id = id;
    });
    this.#version = versionOf(exchange.req);
    if (this.#version === "1.0") return dispatch(request.method, request.params, exchange);
    if (isMethod(request.method)) throw this.#versionMissing();
    const { answerLegacy } = await import("./legacy.ts");
    return answerLegacy(request, exchange);
  }

  /** The client knows the methods of 1.0, so that it is answered in the form of 1.0. */
  #versionMissing(): Error {
    this.#version = "1.0";
    return unsupportedVersion("This method belongs to A2A 1.0, and a request without `A2A-Version` counts as 0.3.");
  }

  #envelope(member: { result: unknown } | { error: unknown }): Json {
    return { jsonrpc: "2.0", id: this.#id, ...member };
  }
}

/** @throws Refusal method_not_allowed, unsupported_media_type */
function refuseUnlessPost({ req }: HttpExchange): void {
  if (req.method !== "POST") {
    const message = "Send JSON-RPC by POST. HTTP+JSON is below this address, for example GET /a2a/tasks.";
    throw new Refusal("method_not_allowed", message, {}, { Allow: "POST, OPTIONS" });
  }
  refuseUnlessJson(req);
}

/**
 * Parses a request of JSON-RPC 2.0 (section 4). A2A has neither notifications, so that a request without an id is
 * refused, nor batches.
 * @param onId is given the id as soon as it is read, so that an error can name it
 * @throws Fault INVALID_REQUEST
 */
function requestIn(body: unknown, onId: (id: Id) => void): JsonRpcRequest {
  if (Array.isArray(body))
    throw new Fault("INVALID_REQUEST", "There are no batches in A2A. Send one request at a time.");
  if (typeof body !== "object" || body === null) throw new Fault("INVALID_REQUEST", "A request is a JSON object.");
  const { jsonrpc, id, method, params } = body as Json;
  if (id === undefined) {
    throw new Fault("INVALID_REQUEST", "There are no notifications in A2A: send an `id`. Nothing was done.");
  }
  if (!isId(id)) {
    const message = `\`id\` must be a whole number, null, or a string of at most ${MAX_ID_LENGTH} characters.`;
    throw new Fault("INVALID_REQUEST", message);
  }
  onId(id);
  if (jsonrpc !== "2.0") throw new Fault("INVALID_REQUEST", '`jsonrpc` must be "2.0".');
  if (typeof method !== "string" || method === "") throw new Fault("INVALID_REQUEST", "`method` must be a name.");
  return { id, method, params };
}

function isId(id: unknown): id is Id {
  return id === null || Number.isSafeInteger(id) || (typeof id === "string" && id.length <= MAX_ID_LENGTH);
}
