import type { Answer } from "../../contract/call.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { type ErrorCode, Refusal } from "../../platform/errors/errors.ts";
import type { ToolCall, ToolCaller } from "./caller.ts";

/** How long the service may take, in ms: a sitemap is read within a call. */
const PATIENCE = 120_000;
/** To say what it offers. */
const SHORT_PATIENCE = 5_000;

/** What of its headers belongs to an answer or a refusal, beside the body. */
const PASSED_ON = ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE"];

/** Runs calls at another Beckon, over its REST API: the operation table says where each one is. */
export function remoteCaller({ url, key }: { readonly url: string; readonly key: string }): ToolCaller {
  let names: ReadonlySet<string> | null = null;
  return {
    siteUrl: url,
    async offered() {
      names ??= await namesAt(url);
      const known = names;
      return (operation) => known?.has(operation.name) ?? operation.isOffered === undefined;
    },
    allows: () => true,
    async call(call) {
      const { path, query, body } = place(call.operation, call.input);
      const response = await send(new URL(`${url}/api/v1${path}${query}`), {
        method: call.operation.rest.method,
        headers: headersOf(call, key),
        ...(body === null ? {} : { body }),
      });
      return readAnswer(response.status, response.headers, await response.text().catch(() => ""), url);
    },
  };
}

/** The operations in the service's own description; null where it cannot be had. */
async function namesAt(url: string): Promise<ReadonlySet<string> | null> {
  try {
    const response = await fetch(`${url}/openapi.json`, {
      redirect: "error",
      signal: AbortSignal.timeout(SHORT_PATIENCE),
    });
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, { operationId: string }>> };
    const names = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    return names.length > 0 ? new Set(names) : null;
  } catch {
    return null;
  }
}

/** Where the input goes: `{names}` of the path first, the rest into the query of a GET or the body of a POST. */
function place({ rest, agentDefaults }: AnyOperation, input: Record<string, unknown>) {
  const left = new Map(Object.entries({ ...agentDefaults, ...input }));
  const path = rest.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(pathPart(name, value));
  });
  if (rest.method === "POST") return { path, query: "", body: JSON.stringify(Object.fromEntries(left)) };
  const query = new URLSearchParams([...left].map(([name, value]): [string, string] => [name, asText(value)]));
  return { path, query: query.size === 0 ? "" : `?${query}`, body: null };
}

/** An empty part, or one of dots, would make the path of another operation. @throws Refusal invalid_request */
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
    // The key is for this service alone, so a redirect is not followed.
    return await fetch(address, { ...init, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new Refusal(
      "unavailable",
      `The service at ${address.origin} did not answer. Check BECKON_URL, then repeat the call with the same idempotency_key.`,
    );
  }
}

/** @throws Refusal the service's own, or `unavailable` where something else has answered */
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
  return Object.fromEntries(PASSED_ON.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])));
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
