import type { Answer } from "../../contract/call.ts";
import type { ToolCall } from "./caller.ts";

/** The most that a page should take of what a model reads, in tokens, where the model has not said how long it may be. */
const LARGEST = 8_000;

/**
 * The answer of a list, within what a model should read at once: URLs may have 4,096 characters, and twenty such links
 * would be 60,000 tokens. Where the caller set no `limit`, the page ends earlier and says that there is more; the next
 * one begins after what came. Other answers stay as they are.
 */
export function fitted({ operation, input }: ToolCall, answer: Answer): Answer {
  const isDefault = operation.agentDefaults?.limit !== undefined && input.limit === undefined;
  // A token is one character at least.
  if (!isDefault || answer.text.length <= LARGEST) return answer;
  const whole = JSON.parse(answer.text) as Record<string, unknown>;
  const [name, records] = Object.entries(whole).find(([, value]) => Array.isArray(value)) as [string, unknown[]];
  const kept = howMany(records, LARGEST - tokensOf({ ...whole, [name]: [] }));
  if (kept === records.length) return answer;
  const cut = { ...whole, [name]: records.slice(0, kept), ...moreOf(whole, records.length - kept) };
  return { ...answer, text: JSON.stringify(cut) };
}

/** One record at least, since the next page has to begin after it. */
function howMany(records: readonly unknown[], tokens: number): number {
  let left = tokens;
  const first = records.findIndex((record) => {
    left -= tokensOf(record);
    return left < 0;
  });
  return first === -1 ? records.length : Math.max(1, first);
}

/** How a list says that there is more than its page. */
function moreOf(whole: Record<string, unknown>, cut: number): Record<string, unknown> {
  if ("has_more" in whole) return { has_more: true };
  return { truncated: true, urls_remaining: (whole.urls_remaining as number) + cut };
}

/** From this length on, a text may be one of a token per character; shorter ones are told apart by nobody. */
const LONG = 64;

/** Rather too many than too few: our own JSON has three characters to a token, an address full of codes has one. */
function tokensOf(value: unknown): number {
  let long = 0;
  const { length } = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string" && inner.length >= LONG) long += inner.length;
    return inner;
  });
  return Math.ceil((length - long) / 3 + long);
}
