import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Answer } from "../../contract/call.ts";
import { errorEnvelope, type Refusal } from "../../platform/errors/errors.ts";
import { priceIn, settlementIn } from "./payment.ts";

/** Fields have the order in which the SDK writes them, so that the fast path (fast-path.ts) answers the same text. */

/** An answer as a tool result: as text and as data, since clients show one of the two. */
export function answered({ text, replayed, headers }: Answer): CallToolResult {
  return {
    ...withMeta({ ...(replayed ? { "beckon/idempotent-replayed": true } : {}), ...settlementIn(headers) }),
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

/**
 * The same as JSON text, for an answer that is nothing but its text, which is JSON already.
 * @param more further fields at the end of the result, each behind a comma
 */
export function answeredText({ text }: Answer, more: string): string {
  const content = JSON.stringify([{ type: "text", text }]);
  return `{"content":${content},"structuredContent":${text}${more}}`;
}

/**
 * A refusal as a tool result (docs/rules.md rule 13): the error JSON as text, and no data. Where it requires a payment,
 * the PaymentRequired comes first, as text and as data, and the error JSON after it.
 */
export function refused(refusal: Refusal, siteUrl: string): CallToolResult {
  const error = { type: "text", text: JSON.stringify(errorEnvelope(refusal, siteUrl)) } as const;
  const price = priceIn(refusal.headers);
  if (!price) return { content: [error], isError: true };
  return {
    ...withMeta(settlementIn(refusal.headers)),
    content: [{ type: "text", text: JSON.stringify(price) }, error],
    structuredContent: price,
    isError: true,
  };
}

function withMeta(meta: Record<string, unknown>): Pick<CallToolResult, "_meta"> {
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}
