import { type Clock, DAY } from "../clock.ts";

/** The header Retry-After (RFC 9110 section 10.2.3: seconds or a date) as service time in ms, at most a day ahead. */
export function retryAfter(headers: Readonly<Record<string, string>>, clock: Clock): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
  return Number.isNaN(ms) ? undefined : clock.service() + Math.min(Math.max(ms, 0), DAY);
}
