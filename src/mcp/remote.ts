import type { Answer } from "../contract/call.ts";
import type { AnyOperation } from "../contract/operation.ts";
import { type ErrorCode, Refusal } from "../errors.ts";
import type { ToolCall, ToolCaller } from "./caller.ts";

/** How long the service may take, in ms: a sitemap is read within a call. */
const PATIENCE = 120_000;

/** Runs calls at another Beckon, over its REST API: the operation table says where each one is. */
export function remoteCaller({ url, key }: { readonly url: string; readonly key: string }): ToolCaller {
  return {
    siteUrl: url,
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

function headersOf({ operation, idempotencyKey }: ToolCall, key: string): Record<string, string> {
  return {
    Authorization: `Bearer ${key}`,
    Accept: "application/json",
    ...(operation.rest.method === "POST" ? { "Content-Type": "application/json" } : {}),
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
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
  if (status < 300 && value) return { text, replayed: headers.get("idempotent-replayed") === "true" };
  const { code, message, docs: _, ...fields } = (value?.error ?? {}) as Record<string, unknown>;
  if (typeof code === "string" && typeof message === "string") throw new Refusal(code as ErrorCode, message, fields);
  throw new Refusal("unavailable", `What answers at ${url} is not a Beckon service (status ${status}).`);
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
