import { z } from "zod";
import { spentIn } from "../../domain/watches/budget.ts";
import { estimateOf } from "../../domain/watches/estimate.ts";
import type { WatchRow } from "../../domain/watches/rows.ts";
import { settingsOf } from "../../domain/watches/rows.ts";
import { EXAMPLES, RUN_RESULTS, type Run, type RunExamples, type RunRow, runId } from "../../domain/watches/runs.ts";
import {
  CHANGED_PAGES,
  INTERVALS,
  NEW_PAGES,
  RECHECKS,
  REMOVED_PAGES,
  WATCH_STATUSES,
  type WatchStatus,
} from "../../domain/watches/settings.ts";
import { iso } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";

const count = z.number().int().min(0);

/** A setting as it was given; its words stand in the input, and are not repeated for every model that reads the schema. */
function wordOf<const Words extends readonly string[]>(_words: Words) {
  return z.string() as unknown as z.ZodType<Words[number], Words[number]>;
}

/** A sitemap that is read again and again. Open: fields may be added. */
export const Watch = z
  .object({
    object: z.literal("watch"),
    id: z.string(),
    sitemap_url: z.string(),
    every: wordOf(INTERVALS),
    new_pages: wordOf(NEW_PAGES),
    changed_pages: wordOf(CHANGED_PAGES),
    removed_pages: wordOf(REMOVED_PAGES),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    mode: wordOf(["standard", "instant"]),
    most_per_run: count,
    credits_per_month: count,
    recheck: wordOf(RECHECKS),
    stop_when_indexed: z.boolean(),
    status: wordOf(WATCH_STATUSES).describe("held: run_watch with release goes on"),
    reason: z.string().nullable().describe("Why it is held or paused"),
    pages: count.describe("Pages that the sitemap listed last"),
    waiting: count.describe("Pages that wait for the next run"),
    next_run_at: z.string().nullable(),
    hook_url: z.string().nullable().describe("What a CMS calls when it publishes"),
    spent_this_month: count.describe("Credits"),
    estimated_credits_per_month: count.nullable().describe("null: not known yet"),
    created_at: z.string(),
  })
  .meta({ id: "Watch" });

/** @param service now, in service time */
export function presentWatch(
  row: WatchRow,
  service: number,
  { siteUrl }: Pick<Config, "siteUrl">,
): z.output<typeof Watch> {
  const settings = settingsOf(row);
  return {
    object: "watch",
    id: row.id,
    sitemap_url: row.sitemapUrl,
    every: settings.every,
    new_pages: settings.newPages,
    changed_pages: settings.changedPages,
    removed_pages: settings.removedPages,
    include: [...settings.include],
    exclude: [...settings.exclude],
    mode: settings.mode,
    most_per_run: row.mostPerRun,
    credits_per_month: row.creditsPerMonth,
    recheck: settings.recheck,
    stop_when_indexed: row.stopWhenIndexed,
    status: row.status as WatchStatus,
    reason: row.reason,
    pages: row.pages,
    waiting: row.waiting,
    next_run_at: iso(row.nextRunAt),
    hook_url: row.sealedHookSecret === null ? null : `${siteUrl}/hooks/${row.id}`,
    spent_this_month: spentIn(row, service),
    estimated_credits_per_month: estimateOf(row),
    created_at: iso(row.createdAt),
  };
}

const examples = z.array(z.string()).max(EXAMPLES);

/** One reading of a watched sitemap. Open: fields may be added. */
export const WatchRun = z
  .object({
    id: z.string().nullable().describe("null: dry_run"),
    at: z.string().describe("Of several runs in a row that did nothing, the last one's"),
    result: z.enum(RUN_RESULTS),
    new: count,
    changed: count,
    removed: count,
    same: count,
    waiting: count,
    submitted: count,
    notified: count.describe("URLs of which engines were notified"),
    credits_spent: count,
    project_id: z.string().nullable(),
    reason: z.string().nullable().describe("Why it was held or failed, or what keeps pages waiting"),
    examples: z.object({ new: examples, changed: examples, removed: examples }).nullable(),
  })
  .meta({ id: "WatchRun" });

/** @param run without a number: what would be done */
export function presentRun(
  watch: Pick<WatchRow, "id">,
  run: Run & Partial<Pick<RunRow, "no">>,
): z.output<typeof WatchRun> {
  const { new: fresh = [], changed = [], removed = [] } = run.examples ?? {};
  return {
    id: run.no === undefined ? null : runId(watch, { no: run.no }),
    at: iso(run.at),
    result: run.result,
    new: run.newPages,
    changed: run.changedPages,
    removed: run.removedPages,
    same: run.samePages,
    waiting: run.waiting,
    submitted: run.submitted,
    notified: run.notified,
    credits_spent: run.creditsSpent,
    project_id: run.projectId,
    reason: run.reason,
    examples: run.examples && { new: [...fresh], changed: [...changed], removed: [...removed] },
  };
}

export function presentRunRow(watch: Pick<WatchRow, "id">, row: RunRow): z.output<typeof WatchRun> {
  const examples = row.examples === null ? null : (JSON.parse(row.examples) as RunExamples);
  return presentRun(watch, { ...row, result: row.result as Run["result"], examples });
}
