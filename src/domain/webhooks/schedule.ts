import { DAY, HOUR, MINUTE, SECOND } from "../../platform/clock.ts";

/** How long after an attempt has failed the next one follows, in ms: ten attempts in about three days. */
const DELAYS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
] as const;

/** Each delay is up to this share longer, so that what failed together does not come back together. */
const JITTER = 0.1;

/** A webhook whose attempts have all failed for this long is disabled, in ms. */
export const FAILING_ENDS = 5 * DAY;

/**
 * When the next attempt follows, real time; null when there is none.
 * @param tries attempts that have failed, at least 1
 * @param notBefore what the receiver asked for by Retry-After
 * @param random from 0 to 1
 */
export function nextAttempt(
  { tries, now, notBefore }: { tries: number; now: number; notBefore?: number | undefined },
  random = Math.random(),
): number | null {
  const delay = DELAYS[tries - 1];
  if (delay === undefined) return null;
  return Math.max(Math.round(now + delay * (1 + JITTER * random)), notBefore ?? 0);
}
