import { Refusal } from "../../src/platform/errors/errors.ts";
import { hasBody } from "../../src/surfaces/http-server/body.ts";
import { refuseUnlessJson } from "../../src/surfaces/http-server/json-body.ts";
import type { Json } from "../wire.ts";
import { dispatch, type MethodResult } from "./dispatch.ts";
import type { WireError } from "./errors.ts";
import type { Binding, HttpExchange } from "./exchange.ts";
import { jsonOf } from "./json.ts";
import { unsupportedVersion, versionOf } from "./version.ts";

const A2A_JSON = "application/a2a+json";

/** Paths, their HTTP methods, and the names of the methods in JSON-RPC (A2A 1.0 sections 5.3 and 11.3). */
const ROUTES: readonly (readonly [pattern: RegExp, methods: Readonly<Record<string, string>>])[] = [
  [/^\/message:send$/, { POST: "SendMessage" }],
  [/^\/message:stream$/, { POST: "SendStreamingMessage" }],
  [/^\/tasks$/, { GET: "ListTasks" }],
  [/^\/tasks\/(?<id>[^/:]+)$/, { GET: "GetTask" }],
  [/^\/tasks\/(?<id>[^/:]+):cancel$/, { POST: "CancelTask" }],
  // The table says GET, section 11.3.2 says POST.
  [/^\/tasks\/(?<id>[^/:]+):subscribe$/, { GET: "SubscribeToTask", POST: "SubscribeToTask" }],
  [
    /^\/tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs$/,
    { GET: "ListTaskPushNotificationConfigs", POST: "CreateTaskPushNotificationConfig" },
  ],
  [
    /^\/tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs\/(?<id>[^/:]+)$/,
    { GET: "GetTaskPushNotificationConfig", DELETE: "DeleteTaskPushNotificationConfig" },
  ],
  [/^\/extendedAgentCard$/, { GET: "GetExtendedAgentCard" }],
];

/** The HTTP+JSON binding of A2A 1.0 (section 11). */
export class HttpJson implements Binding {
  readonly allowed: readonly string[];
  readonly #methods: Readonly<Record<string, string>> | undefined;
  readonly #fields: Readonly<Record<string, string>>;
  readonly #contentType: string;

  /** @param path below the prefix, still percent-encoded */
  constructor(path: string, accept = "") {
    const hit = ROUTES.map(([pattern, methods]) => ({ match: pattern.exec(path), methods })).find(({ match }) => match);
    this.#methods = hit?.methods;
    this.#fields = { ...hit?.match?.groups };
    const methods = Object.keys(this.#methods ?? { GET: "", POST: "", DELETE: "" });
    const hasHead = methods.includes("GET") && !path.endsWith(":subscribe");
    this.allowed = [...methods, ...(hasHead ? ["HEAD"] : []), "OPTIONS"];
    // The answer is plain JSON if a client accepts that and does not name the media type of A2A.
    const isPlain = accept.includes("application/json") && !accept.includes(A2A_JSON);
    this.#contentType = isPlain ? "application/json" : A2A_JSON;
  }

  /** @throws Fault, Refusal, errors of the protocol */
  async answer(exchange: HttpExchange): Promise<void> {
    const name = this.#methodOf(exchange.req.method!);
    refuseUnlessJson(exchange.req, ["application/json", A2A_JSON]);
    if (versionOf(exchange.req) !== "1.0") {
      throw unsupportedVersion(
        "HTTP+JSON is available in version 1.0 only, and a request without a version counts as 0.3.",
      );
    }
    const outcome = await this.#run(name, exchange);
    if ("result" in outcome) exchange.reply(this.#contentType, outcome.result);
    else return exchange.stream(outcome.events, (event) => event);
  }

  refusal(error: WireError) {
    return { status: error.status, contentType: this.#contentType, json: this.event(error) };
  }

  /** A google.rpc.Status (section 11.6). */
  event({ status, name, message, details }: WireError): Json {
    return { error: { code: status, status: name, message, details } };
  }

  /** @throws Refusal not_found, method_not_allowed */
  #methodOf(httpMethod: string): string {
    if (!this.#methods) {
      throw new Refusal("not_found", "There is no such address in A2A. JSON-RPC is at /a2a, HTTP+JSON below it.");
    }
    // HEAD is answered like GET, except for a stream, which has no length.
    const method = httpMethod === "HEAD" && this.allowed.includes("HEAD") ? "GET" : httpMethod;
    const name = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (name) return name;
    const allow = this.allowed.join(", ");
    throw new Refusal("method_not_allowed", `This address answers ${allow}.`, {}, { Allow: allow });
  }

  #run(name: string, exchange: HttpExchange): Promise<MethodResult> {
    const fields = decoded(this.#fields);
    if (exchange.req.method !== "POST") return dispatch(name, { ...inQuery(exchange.query), ...fields }, exchange);
    // The input of a method on a task is in the path, so the body may be missing.
    if (Object.keys(fields).length > 0 && !hasBody(exchange.req)) return dispatch(name, fields, exchange);
    return exchange.body((document) => {
      const body = jsonOf(document);
      const isObject = typeof body === "object" && !Array.isArray(body);
      return dispatch(name, isObject ? { ...body, ...fields } : body, exchange);
    });
  }
}

function decoded(fields: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new Refusal("not_found", "The percent-encoding of the address is not valid.");
  }
}

const NUMBERS: ReadonlySet<string> = new Set(["pageSize", "historyLength"]);
const BOOLEANS: ReadonlySet<string> = new Set(["includeArtifacts"]);
const TEXTS: ReadonlySet<string> = new Set(["tenant", "contextId", "pageToken"]);

/** The parameters of a GET (section 11.5). What does not parse as its type stays text, and the schema refuses it. */
function inQuery(query: string): Json {
  const values = new URLSearchParams(query);
  const input: Json = {};
  for (const name of new Set(values.keys())) {
    const [value, ...more] = values.getAll(name);
    // No parameter is a list. If a known parameter is sent twice, the schema refuses it.
    if (more.length > 0) input[name] = [value, ...more];
    else if (value === "null" && !TEXTS.has(name)) input[name] = null;
    else if (NUMBERS.has(name) && /^-?\d{1,15}$/.test(value!)) input[name] = Number(value);
    else if (BOOLEANS.has(name) && (value === "true" || value === "false")) input[name] = value === "true";
    else input[name] = value;
  }
  return input;
}
