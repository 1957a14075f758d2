import { rowsOf } from "../../domain/exports/rows.ts";
import { allRunsOf } from "../../domain/watches/runs.ts";
import { iso } from "../../platform/clock.ts";
import { presentRunRow } from "../shapes/watched-sitemap.ts";
import { mapped, parsed, section } from "./section.ts";

/** The sections about watched sitemaps. */
export const WATCH_SECTIONS = {
  watches: section("Watched sitemaps.", {
    columns: ["id", "sitemap_url", "every", "status", "pages", "credits_per_month", "spent_this_month", "created_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "watches", "no", accountId), ({ id, sitemapUrl: sitemap_url, every, status, ...row }) => {
        const { newPages: new_pages, changedPages: changed_pages, removedPages: removed_pages, mode, recheck } = row;
        const { mostPerRun: most_per_run, creditsPerMonth: credits_per_month, spentThisMonth: spent_this_month } = row;
        const patterns = { include: parsed(row.include), exclude: parsed(row.exclude) };
        const settings = { new_pages, changed_pages, removed_pages, ...patterns, mode, most_per_run, recheck };
        const money = { credits_per_month, spent_this_month, stop_when_indexed: row.stopWhenIndexed };
        const times = { next_run_at: iso(row.nextRunAt), created_at: iso(row.createdAt) };
        return {
          id,
          sitemap_url,
          every,
          status,
          reason: row.reason,
          pages: row.pages,
          ...settings,
          ...money,
          ...times,
        };
      }),
  }),
  watch_runs: section("Readings of watched sitemaps.", {
    columns: [
      ...["id", "watch_id", "at", "result", "new", "changed", "removed", "same", "waiting", "submitted", "notified"],
      ...["credits_spent", "project_id", "reason"],
    ],
    async *batches({ db, accountId }) {
      for await (const watches of rowsOf(db, "watches", "no", accountId))
        for (const watch of watches)
          yield (await allRunsOf(db, watch)).map((run) => ({ watch_id: watch.id, ...presentRunRow(watch, run) }));
    },
  }),
} as const;
