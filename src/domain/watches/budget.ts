import type { Reader } from "../../../db/engine.ts";
import { SIZES } from "../../platform/sizes.ts";
import { accessOfMaker } from "../credentials/access.ts";
import { COSTS } from "../ledger/costs.ts";
import { calendarDay } from "../spending/calendar.ts";
import { holdersOf } from "../spending/holder.ts";
import { spendingOfHolders } from "../spending/read.ts";
import { settingsOf, type WatchRow } from "./rows.ts";

/** What keeps pages waiting: the watch's own limits, the limits of its credential, the balance, or an experiment. */
export const RUN_LIMITS = ["most_per_run", "credits_per_month", "credential", "balance", "held_out"] as const;
export type RunLimit = (typeof RUN_LIMITS)[number];

/** What a run may spend, and what limits it. */
export interface Allowance {
  readonly credits: number;
  readonly limit: Exclude<RunLimit, "most_per_run" | "held_out">;
}

/** What a watch has spent in the month of `service`. */
export function spentIn(
  { month, spentThisMonth }: Pick<WatchRow, "month" | "spentThisMonth">,
  service: number,
): number {
  return month >= calendarDay(service).month ? spentThisMonth : 0;
}

/**
 * The credits that a run may spend now: what is left of the watch's month, of the limits of whoever runs it, and of the balance. A run
 * never costs so much that a person would have to approve it.
 */
export async function allowanceOf(
  db: Reader,
  watch: WatchRow,
  { balance, now, service }: { balance: number; now: number; service: number },
): Promise<Allowance> {
  const month = Math.max(0, watch.creditsPerMonth - spentIn(watch, service));
  const { accountId, maker } = watch;
  const runner = await accessOfMaker(db, accountId, maker);
  const holders = runner ? holdersOf(runner) : [];
  const { remaining, limits } = await spendingOfHolders(db, accountId, holders, now);
  const candidates: readonly Allowance[] = [
    { credits: month, limit: "credits_per_month" },
    { credits: remaining.call ?? Number.POSITIVE_INFINITY, limit: "credential" },
    { credits: limits.approveAbove ?? Number.POSITIVE_INFINITY, limit: "credential" },
    { credits: Math.max(0, balance), limit: "balance" },
  ];
  const { credits, limit } = candidates.reduce((least, one) => (one.credits < least.credits ? one : least));
  return { credits, limit };
}

/** The most that a run can cost now, whatever its sitemap lists: it takes no more pages, and spends no more. */
export async function mostOfRun(
  db: Reader,
  watch: WatchRow,
  times: { balance: number; now: number; service: number },
): Promise<number> {
  const { newPages, changedPages, mode, mostPerRun } = settingsOf(watch);
  if (watch.firstRun === "baseline" || (newPages !== "submit" && changedPages !== "submit")) return 0;
  const { credits } = await allowanceOf(db, watch, times);
  const affordable = Math.floor(credits / COSTS[mode]);
  return Math.min(mostPerRun, SIZES.urlsPerSubmission, affordable) * COSTS[mode];
}
