/** What work costs: credits for each submitted URL. */
export const COSTS = { standard: 1, instant: 3 } as const;
export const URLS_CHECKED_PER_CREDIT = 10;

export type Mode = keyof typeof COSTS;

export function costOf(kind: Mode | "check", urls: number): number {
  return kind === "check" ? Math.ceil(urls / URLS_CHECKED_PER_CREDIT) : urls * COSTS[kind];
}
