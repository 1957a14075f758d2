import { DAY } from "../../platform/clock.ts";
import { costOf } from "../ledger/costs.ts";
import type { Listing } from "./difference.ts";
import { settingsOf, type WatchRow } from "./rows.ts";
import type { WatchSettings } from "./settings.ts";

/** Pages that the runs of some days have found. */
export interface FoundPages {
  readonly days: number;
  readonly newPages: number;
  readonly changedPages: number;
}

/** Days of runs after which what they found says more than the dates in the sitemap. */
const ENOUGH_DAYS = 14;

/** How often indexed pages are looked up again in a month. */
const LOOKS_A_MONTH = { off: 0, week: 30 / 7, month: 1 } as const;

/**
 * What a month of a watch is estimated to cost, in credits, never more than it may spend: the pages that it submits, and the
 * later look-ups of submitted pages.
 * @returns null before anything is known
 */
export function estimateOf(watch: WatchRow): number | null {
  const { monthPages, recheckPages } = watch;
  if (monthPages === null) return null;
  const { mode, recheck, creditsPerMonth } = settingsOf(watch);
  const looks = Math.ceil(costOf("check", recheckPages) * LOOKS_A_MONTH[recheck]);
  return Math.min(creditsPerMonth, costOf(mode, monthPages) + looks);
}

/**
 * Pages that a month is estimated to submit: by what the runs of a watch have found; before there are enough of them, by the pages of
 * the last 30 days in the sitemap.
 *
 * @param waiting pages that wait to be submitted
 * @returns null where neither says anything
 */
export function monthPagesOf(
  settings: WatchSettings,
  listing: Listing,
  { found, waiting, now }: { found: FoundPages; waiting: number; now: number },
): number | null {
  const { newPages, changedPages } = settings;
  if (newPages !== "submit" && changedPages !== "submit") return 0;
  const pages = found.days >= ENOUGH_DAYS ? byRuns(settings, found) : byDates(listing, now);
  return pages === null ? null : pages + waiting;
}

function byRuns({ newPages, changedPages }: WatchSettings, found: FoundPages): number {
  const pages = (newPages === "submit" ? found.newPages : 0) + (changedPages === "submit" ? found.changedPages : 0);
  return Math.ceil((pages * 30) / found.days);
}

function byDates({ modified }: Listing, now: number): number | null {
  const since = (now - 30 * DAY) / 1_000;
  let dated = 0;
  let recent = 0;
  for (const at of modified) {
    if (at > 0) dated += 1;
    if (at >= since) recent += 1;
  }
  return dated === 0 ? null : recent;
}
