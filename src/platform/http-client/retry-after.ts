import { type Clock, DAY } from "../clock.ts";

/**
 * The header Retry-After (RFC 9110 section 10.2.3: seconds or a date) in ms from now, at most a day. Of several the first
 * counts.
 * @param now real time; the header Date, if there is one, is the server's own
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (!text) return undefined;
  const seconds = /^(\d+)\s*(?:,|$)/.exec(text)?.[1];
  const ms =
    seconds === undefined ? Date.parse(text) - (Date.parse(headers.date ?? "") || now) : Number(seconds) * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY);
}

/** The same as service time in ms. */
export function retryAfter(headers: Readonly<Record<string, string>>, clock: Clock): number | undefined {
  const ms = retryAfterMs(headers, clock.now());
  return ms === undefined ? undefined : clock.service() + ms;
}
