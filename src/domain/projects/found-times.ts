import { DAY } from "../../platform/clock.ts";

/** When links were first found, in days after they were sent, by the checks that found them. */
export interface FoundTimes {
  /** Whole days, each with how many links were first found on it; ascending, without days of none. */
  readonly byDay: readonly { readonly day: number; readonly count: number }[];
  /** The median of the days, with a fraction; null while none was found. */
  readonly median: number | null;
}

/**
 * @param sent service times by position; null for a link that was not sent
 * @param firstFound service times by position; nothing for a link that no check has found
 */
export function foundTimes(sent: readonly (number | null)[], firstFound: readonly number[]): FoundTimes {
  const days: number[] = [];
  sent.forEach((sentAt, position) => {
    const foundAt = firstFound[position];
    if (sentAt !== null && foundAt !== undefined && foundAt >= sentAt) days.push((foundAt - sentAt) / DAY);
  });
  const counts = new Map<number, number>();
  for (const day of days.sort((a, b) => a - b)) counts.set(Math.floor(day), (counts.get(Math.floor(day)) ?? 0) + 1);
  return { byDay: [...counts].map(([day, count]) => ({ day, count })), median: medianOf(days) };
}

/** @param sorted ascending */
function medianOf(sorted: readonly number[]): number | null {
  if (sorted.length === 0) return null;
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
