import type { AnyOperation } from "../contract/operation.ts";
import { ParseFailure } from "./protocol-error.ts";
import { operationOf } from "./tools.ts";

/** What the body of a POST asks for, before the SDK has looked at it. */

/** @throws Refusal invalid_request */
export function parseMessage(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ParseFailure();
  }
}

/** The id that an error answers; null for a batch and for what is no request. */
export function idOf(body: unknown): string | number | null {
  const id = isObject(body) ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Requests in the body: each counts in the rate window. */
export function requestsIn(body: unknown): number {
  return messagesIn(body).filter((message) => "method" in message && "id" in message).length;
}

/** The operations that the body's tool calls name. */
export function operationsIn(body: unknown): AnyOperation[] {
  return messagesIn(body).flatMap(({ method, params }) => {
    const operation = method === "tools/call" && isObject(params) ? operationOf(params.name) : undefined;
    return operation ? [operation] : [];
  });
}

function messagesIn(body: unknown): Record<string, unknown>[] {
  return (Array.isArray(body) ? body : [body]).filter(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
