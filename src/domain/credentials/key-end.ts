import { DAY, iso } from "../../platform/clock.ts";

/** The latest end date that a key can have, in ms from now. */
const LATEST = 3_660 * DAY;

/**
 * The end of a key whose last day (UTC) is given as YYYY-MM-DD: the moment when that day is over.
 * @returns null when the text is no such date, the day is over already, or it is more than ten years away
 */
export function endAfterDay(text: string, now: number): number | null {
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 30 February as 2 March.
  if (Number.isNaN(start) || !iso(start).startsWith(text)) return null;
  const end = start + DAY;
  return end > now && end <= now + LATEST ? end : null;
}

/** The last day (UTC) of a key that ends then, as YYYY-MM-DD. */
export function lastDayOf(expiresAt: number): string {
  return iso(expiresAt - 1).slice(0, 10);
}
