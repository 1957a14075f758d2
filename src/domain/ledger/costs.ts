/** What work costs: credits for each submitted URL. */
export const COSTS = { standard: 1, instant: 3 } as const;
export const URLS_CHECKED_PER_CREDIT = 10;

export type Mode = keyof typeof COSTS;

/** How often pages are looked up that are checked, or held out of an experiment. */
const LOOKS = { check: 1, holdout: 2 } as const;

export function costOf(kind: Mode | keyof typeof LOOKS, urls: number): number {
  if (kind === "check" || kind === "holdout") return LOOKS[kind] * Math.ceil(urls / URLS_CHECKED_PER_CREDIT);
  return urls * COSTS[kind];
}
