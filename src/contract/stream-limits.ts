import { Refusal } from "../platform/errors/errors.ts";

/** Most open streams of one kind in a process. */
export const MAX_STREAMS = { perAccount: 20, perProcess: 1_000 };

/**
 * @param open the account of each stream that is open
 * @param instead what a caller can do without a stream
 * @throws Refusal rate_limited, unavailable
 */
export function refuseTooManyStreams(open: readonly string[], accountId: string, instead: string): void {
  const headers = { "Retry-After": "60" };
  if (open.length >= MAX_STREAMS.perProcess)
    throw new Refusal("unavailable", `Too many streams are open. ${instead}, or try again.`, {}, headers);
  if (open.filter((other) => other === accountId).length < MAX_STREAMS.perAccount) return;
  const message = `The account has ${MAX_STREAMS.perAccount} streams open. Close one, or ${lower(instead)}.`;
  throw new Refusal("rate_limited", message, {}, headers);
}

function lower(sentence: string): string {
  return sentence.replace(/^./, (first) => first.toLowerCase());
}
