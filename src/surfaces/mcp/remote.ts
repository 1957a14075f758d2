import type { Answer } from "../../contract/call.ts";
import { fitPage } from "../../contract/fit-page.ts";
import type { AnyOperation, Toolset } from "../../contract/operation.ts";
import { type ErrorCode, Refusal } from "../../platform/errors/errors.ts";
import type { ToolCall, ToolCaller } from "./caller.ts";

/** How long a call may take, in ms: it may read a sitemap. */
const CALL_TIMEOUT = 120_000;
/** How long the service may take to describe what it offers, in ms. */
const DESCRIPTION_TIMEOUT = 5_000;

/** Headers that belong to an answer or a refusal, beside its body. */
const PASSED_HEADERS = ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE"];

/** Runs calls at another Beckon over its REST API; each operation says its own route. */
export function remoteCaller({
  url,
  key,
  toolsets,
}: {
  readonly url: string;
  readonly key: string;
  readonly toolsets?: ReadonlySet<Toolset>;
}): ToolCaller {
  let names: ReadonlySet<string> | null = null;
  return {
    siteUrl: url,
    toolsets,
    async offered() {
      names ??= await namesAt(url);
      const known = names;
      return (operation) => known?.has(operation.name) ?? operation.isOffered === undefined;
    },
    allows: () => true,
    async call(call) {
      const { path, query, body } = targetOf(call.operation, call.input);
      const response = await send(new URL(`${url}/api/v1${path}${query}`), {
        method: call.operation.rest.method,
        headers: headersOf(call, key),
        ...(body === null ? {} : { body }),
        ...(call.signal ? { signal: call.signal } : {}),
      });
      const answer = readAnswer(response.status, response.headers, await response.text().catch(() => ""), url);
      return { ...answer, text: fitPage(call, answer.text) };
    },
  };
}

/** The names of the operations in the service's OpenAPI document; null where it cannot be read. */
async function namesAt(url: string): Promise<ReadonlySet<string> | null> {
  try {
    const response = await fetch(`${url}/openapi.json`, {
      redirect: "error",
      signal: AbortSignal.timeout(DESCRIPTION_TIMEOUT),
    });
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, { operationId: string }>> };
    const names = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    return names.length > 0 ? new Set(names) : null;
  } catch {
    return null;
  }
}

/** The request of a call: its input fills the path, and then the query of a GET or the body of a POST. */
function targetOf({ rest, agentDefaults }: AnyOperation, input: Record<string, unknown>) {
  const { fields: _, ...sent } = input;
  const left = new Map(Object.entries({ ...agentDefaults, ...sent }));
  const path = rest.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(pathPart(name, value));
  });
  if (rest.method === "POST") return { path, query: "", body: JSON.stringify(Object.fromEntries(left)) };
  const query = new URLSearchParams([...left].map(([name, value]): [string, string] => [name, asText(value)]));
  return { path, query: query.size === 0 ? "" : `?${query}`, body: null };
}

/** A part that is empty or consists of dots would make another path. @throws Refusal invalid_request */
function pathPart(name: string, value: unknown): string {
  if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return value;
  const message = value === undefined ? "required" : "must be an id";
  throw new Refusal("invalid_request", `\`${name}\`: ${message}. Nothing was changed.`, {
    issues: [{ path: name, message }],
  });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function headersOf({ operation, idempotencyKey, payment }: ToolCall, key: string): Record<string, string> {
  return {
    Authorization: `Bearer ${key}`,
    Accept: "application/json",
    ...(operation.rest.method === "POST" ? { "Content-Type": "application/json" } : {}),
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    ...(payment === undefined ? {} : { "PAYMENT-SIGNATURE": payment.text }),
  };
}

async function send(address: URL, init: RequestInit): Promise<Response> {
  try {
    // A redirect is not followed, so that the key goes to this service only.
    const signals = [AbortSignal.timeout(CALL_TIMEOUT), ...(init.signal ? [init.signal] : [])];
    return await fetch(address, { ...init, redirect: "error", signal: AbortSignal.any(signals) });
  } catch {
    throw new Refusal(
      "unavailable",
      `The service at ${address.origin} did not answer. Check BECKON_URL, then repeat the call with the same idempotency_key.`,
    );
  }
}

/** @throws Refusal that of the service, or `unavailable` where the answer is none of Beckon's */
function readAnswer(status: number, headers: Headers, text: string, url: string): Answer {
  const value = parse(text);
  const passedOn = headersIn(headers);
  if (status < 300 && value) {
    return { text, replayed: headers.get("idempotent-replayed") === "true", headers: passedOn };
  }
  const { code, message, docs: _, ...fields } = (value?.error ?? {}) as Record<string, unknown>;
  if (typeof code === "string" && typeof message === "string")
    throw new Refusal(code as ErrorCode, message, fields, passedOn);
  throw new Refusal("unavailable", `What answers at ${url} is not a Beckon service (status ${status}).`);
}

function headersIn(headers: Headers): Record<string, string> {
  return Object.fromEntries(PASSED_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])));
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
