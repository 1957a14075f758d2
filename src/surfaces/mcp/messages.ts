import { dropNulls } from "../../contract/nulls.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { JsonReader } from "../../platform/json/json-reader.ts";
import { asksForProjects } from "./completion.ts";
import { LIST_PROJECTS } from "./own-projects.ts";
import { JsonParseError } from "./protocol-error.ts";
import { resourceCallOf } from "./resource-uris.ts";
import { operationOf } from "./tools.ts";

/** Reads what a message asks for before the SDK gets it. */

/** The message, or the batch, without nulls in the parameters of its messages. @throws Refusal invalid_request */
export function parseMessage(document: JsonReader): unknown {
  const body = parse(document);
  messagesIn(body).forEach(dropNullParams);
  return body;
}

function parse(document: JsonReader): unknown {
  try {
    return document.end();
  } catch {
    throw new JsonParseError();
  }
}

/** The arguments of tools and events are read by what they are for, which may have a meaning for null. */
function dropNullParams(message: Record<string, unknown>): void {
  if (message.params === null) delete message.params;
  else if (isObject(message.params)) dropNulls(message.params, hasArguments(message.method) ? "arguments" : undefined);
}

function hasArguments(method: unknown): boolean {
  return method === "tools/call" || (typeof method === "string" && method.startsWith("events/"));
}

/** The id of the request, for an error; null for a batch, for a message that is no request, and for an id that cannot be repeated. */
export function idOf(body: unknown): string | number | null {
  const id = isObject(body) ? body.id : null;
  return typeof id === "string" || isWhole(id) ? id : null;
}

/** A larger number is not the one that was sent: parsing has rounded it. */
function isWhole(id: unknown): id is number {
  return Number.isSafeInteger(id);
}

/** Refuses an id that an answer could not repeat (JSON-RPC 2.0 section 5). @throws Refusal invalid_request */
export function refuseRoundedIds(body: unknown): void {
  if (messagesIn(body).every(({ id }) => typeof id !== "number" || isWhole(id))) return;
  const issues = [{ path: "id", message: "text, or a whole number of at most 9007199254740991" }];
  throw new Refusal("invalid_request", `\`id\`: ${issues[0]!.message}. Nothing was changed.`, { issues });
}

/** The number of requests in the body; each counts in the rate window. */
export function requestsIn(body: unknown): number {
  return messagesIn(body).filter((message) => "method" in message && "id" in message).length;
}

/** The request for a stream of events, if that is all that the body is. */
export function eventsStreamIn(body: unknown): { readonly id: string | number; readonly params: unknown } | null {
  const id = idOf(body);
  return isObject(body) && body.method === EVENTS_STREAM && id !== null ? { id, params: body.params } : null;
}

const EVENTS_STREAM = "events/stream";

/** The operations that the messages call. A list calls none: it shows what its reader may see. */
export function operationsIn(body: unknown): AnyOperation[] {
  return messagesIn(body).flatMap(({ method, params }) => {
    const called = (isObject(params) && CALLED.get(method)?.(params)) || [];
    return called.filter((operation) => operation !== undefined);
  });
}

/** A map, since every object has a `constructor`, and a method may be named so. */
const CALLED = new Map<unknown, (params: Record<string, unknown>) => (AnyOperation | undefined)[]>([
  ["tools/call", ({ name }) => [operationOf(name)]],
  ["resources/read", ({ uri }) => readIn([uri])],
  ["resources/subscribe", ({ uri }) => readIn([uri])],
  ["resources/unsubscribe", ({ uri }) => readIn([uri])],
  ["subscriptions/listen", (params) => readIn(listenedIn(params))],
  ...["events/subscribe", "events/unsubscribe", "events/poll", EVENTS_STREAM].map(
    (method) => [method, () => [operationOf("list_events")]] as const,
  ),
  ["completion/complete", (params) => (asksForProjects(params) ? [LIST_PROJECTS] : [])],
]);

/** The operations that answer resources, each once. */
function readIn(uris: readonly unknown[]): (AnyOperation | undefined)[] {
  return [...new Set(uris.map((uri) => resourceCallOf(uri)?.operation))];
}

/** The URIs that a `subscriptions/listen` is about. The SDK refuses what is not valid there. */
export function listenedIn({ notifications }: Record<string, unknown>): string[] {
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

function messagesIn(body: unknown): Record<string, unknown>[] {
  return (Array.isArray(body) ? body : [body]).filter(isObject);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
