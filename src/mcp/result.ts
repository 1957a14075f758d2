import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Answer } from "../contract/call.ts";
import { errorEnvelope, type Refusal } from "../errors.ts";

/** An answer as a tool result: whole as text and whole as data, since clients show the one or the other. */
export function answered({ text, replayed }: Answer): CallToolResult {
  return {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    ...(replayed ? { _meta: { "beckon/idempotent-replayed": true } } : {}),
  };
}

/** A refusal as a tool result (decisions.md rule 13): the error JSON as text, and no data. */
export function refused(refusal: Refusal, siteUrl: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(errorEnvelope(refusal, siteUrl)) }] };
}
