import type { AnyOperation } from "../../contract/operation.ts";
import { asksForProjects } from "./completion.ts";
import { LIST_PROJECTS } from "./own-projects.ts";
import { ParseFailure } from "./protocol-error.ts";
import { placeOf } from "./resource-uris.ts";
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

/** The operations that the body's messages need, whoever sends them: a list alone shows what its reader may see. */
export function operationsIn(body: unknown): AnyOperation[] {
  return messagesIn(body).flatMap(({ method, params }) => {
    const operation = isObject(params) ? NEEDED[method as string]?.(params) : undefined;
    return operation ? [operation] : [];
  });
}

const NEEDED: Readonly<Record<string, (params: Record<string, unknown>) => AnyOperation | undefined>> = {
  "tools/call": ({ name }) => operationOf(name),
  "resources/read": ({ uri }) => placeOf(uri)?.operation,
  "completion/complete": (params) => (asksForProjects(params) ? LIST_PROJECTS : undefined),
};

function messagesIn(body: unknown): Record<string, unknown>[] {
  return (Array.isArray(body) ? body : [body]).filter(isObject);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
