import type { Answer } from "../../contract/call.ts";
import type { ToolCall } from "./caller.ts";

/** Most tokens of a page where the caller set no `limit`. */
const MAX_TOKENS = 8_000;

/**
 * Cuts the page of a list to what a model should read at once: URLs may have 4,096 characters, and twenty such links
 * would be 60,000 tokens. Only where the caller set no `limit`, the page ends earlier and says that there is more. Other
 * answers are returned as they are.
 */
export function fitPage({ operation, input }: ToolCall, answer: Answer): Answer {
  const isDefault = operation.agentDefaults?.limit !== undefined && input.limit === undefined;
  // A token has at least one character.
  if (!isDefault || answer.text.length <= MAX_TOKENS) return answer;
  const whole = JSON.parse(answer.text) as Record<string, unknown>;
  const [name, records] = Object.entries(whole).find(([, value]) => Array.isArray(value)) as [string, unknown[]];
  const kept = howMany(records, MAX_TOKENS - tokensOf({ ...whole, [name]: [] }));
  if (kept === records.length) return answer;
  const cut = { ...whole, [name]: records.slice(0, kept), ...moreOf(whole, records.length - kept) };
  return { ...answer, text: JSON.stringify(cut) };
}

/** How many records fit; at least one, so that the next page begins after it. */
function howMany(records: readonly unknown[], tokens: number): number {
  let left = tokens;
  const first = records.findIndex((record) => {
    left -= tokensOf(record);
    return left < 0;
  });
  return first === -1 ? records.length : Math.max(1, first);
}

/** The fields that say that there is more than the page. */
function moreOf(whole: Record<string, unknown>, cut: number): Record<string, unknown> {
  if ("has_more" in whole) return { has_more: true };
  return { truncated: true, urls_remaining: (whole.urls_remaining as number) + cut };
}

/** Texts from this length on are counted as one token a character. */
const LONG_TEXT = 64;

/** An upper estimate: our own JSON has three characters a token, a URL full of percent-codes has one. */
function tokensOf(value: unknown): number {
  let long = 0;
  const { length } = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string" && inner.length >= LONG_TEXT) long += inner.length;
    return inner;
  });
  return Math.ceil((length - long) / 3 + long);
}
