import type { OperationRow } from "../../call-options.ts";
import { BeckonError, objectIn } from "../../error.ts";
import { OPERATIONS } from "../../generated/operations.ts";
import { newIdempotencyKey } from "../../transport.ts";

/** A JSON-RPC message. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** A line of the client, as it is understood here. */
export interface Sent {
  readonly line: string;
  /** The only message; empty for a batch, and for a line that is no message. */
  readonly message: Message;
  /** The version of the protocol that the message names; only those since 2026-07-28 do. */
  readonly version: string | null;
  /** The ids of its requests, each of which has to be answered; null for a request, or a line, whose id cannot be read. */
  readonly requests: readonly (string | number | null)[];
}

export function sentIn(line: string): Sent {
  const message = objectIn(line) as Message | null;
  const messages = message === null ? batchIn(line) : [message];
  const isRequest = ({ id, method }: Message) => method !== undefined && id !== undefined;
  const requests = messages.length === 0 ? [null] : messages.filter(isRequest).map(({ id }) => repeatable(id));
  return { line, message: message ?? {}, version: versionIn(message ?? {}), requests };
}

/** An id as an answer can repeat it: parsing has rounded a larger number, and no other value is an id. */
function repeatable(id: unknown): string | number | null {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/** The messages of a batch, which 2025-03-26 has. */
function batchIn(line: string): Message[] {
  try {
    const list: unknown = JSON.parse(line);
    return Array.isArray(list) ? list.flatMap((one) => (objectIn(one) as Message | null) ?? []) : [];
  } catch {
    return [];
  }
}

function versionIn({ params }: Message): string | null {
  const meta = params?._meta as Record<string, unknown> | undefined;
  const version = meta?.["io.modelcontextprotocol/protocolVersion"];
  return typeof version === "string" ? version : null;
}

/** Whether a request is answered by a stream that stays open until somebody ends it. */
export function opensStream({ method }: Message): boolean {
  return method === "subscriptions/listen" || method === "events/stream";
}

/** The headers that mirror a message of 2026-07-28 or later. */
export function mirrorHeaders(message: Message, version: string): Record<string, string> {
  const { method, params } = message;
  if (method === undefined) return { "MCP-Protocol-Version": version };
  const name = method === "resources/read" ? params?.uri : params?.name;
  const hasName = ["tools/call", "prompts/get", "resources/read"].includes(method) && typeof name === "string";
  return {
    "MCP-Protocol-Version": version,
    "Mcp-Method": method,
    ...(hasName ? { "Mcp-Name": headerText(name as string) } : {}),
  };
}

/** What a header cannot hold is encoded, as the protocol says. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/**
 * An idempotency key of its own for the call of a tool that has none, so that the bridge can repeat a call whose answer was
 * lost. A service that has the client show a URL to its user gives the key back as the state, with which the client calls again.
 */
export function keyHeader(message: Message): Record<string, string> {
  if (!operationIn(message)?.takesKey) return {};
  const { arguments: input, requestState } = message.params as {
    arguments?: Message["params"];
    requestState?: unknown;
  };
  if ((input?.idempotency_key ?? null) !== null) return {};
  const isKey = typeof requestState === "string" && /^[0-9a-f]{32}$/.test(requestState);
  return { "Idempotency-Key": isKey ? requestState : newIdempotencyKey() };
}

/** The operation whose tool is called, if this version knows it. */
function operationIn({ method, params }: Message): OperationRow | undefined {
  if (method !== "tools/call") return undefined;
  return Object.values(OPERATIONS).find(({ name }) => name === params?.name);
}

/**
 * What decides whether a message is sent again: the operation that it calls. Messages that call no tool change nothing. A batch, or
 * a tool that this version does not know, may spend.
 */
export function repetitionOf({ message }: Sent): Pick<OperationRow, "effect" | "takesKey"> {
  const mayChange = message.method === undefined || message.method === "tools/call";
  return operationIn(message) ?? { effect: mayChange ? "change" : "read", takesKey: false };
}

/** A failure as the answer to a request. */
export function errorAnswer(id: Message["id"], thrown: unknown): string {
  const { code, message, fields } =
    thrown instanceof BeckonError ? thrown : new BeckonError("internal", (thrown as Error).message);
  return JSON.stringify({
    jsonrpc: "2.0",
    id: id ?? null,
    error: { code: -32_000, message, data: { code, message, ...fields } },
  });
}
