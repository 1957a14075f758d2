import type { OperationRow } from "../../call-options.ts";
import { BeckonError } from "../../error.ts";
import { OPERATIONS } from "../../generated/operations.ts";
import { newIdempotencyKey } from "../../transport.ts";

/** A JSON-RPC message. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** The version of the protocol that a message names; only those since 2026-07-28 do. */
export function versionIn({ params }: Message): string | null {
  const meta = params?._meta as Record<string, unknown> | undefined;
  const version = meta?.["io.modelcontextprotocol/protocolVersion"];
  return typeof version === "string" ? version : null;
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
 * lost.
 */
export function keyHeader(message: Message): Record<string, string> {
  if (!operationIn(message)?.takesKey) return {};
  const given = (message.params?.arguments as Record<string, unknown> | undefined)?.idempotency_key;
  return given === undefined ? { "Idempotency-Key": newIdempotencyKey() } : {};
}

/** The operation whose tool is called; null for any other message. */
export function operationIn({ method, params }: Message): OperationRow | null {
  if (method !== "tools/call") return null;
  return Object.values(OPERATIONS).find(({ name }) => name === params?.name) ?? null;
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
