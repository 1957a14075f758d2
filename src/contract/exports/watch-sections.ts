import { rowsOf } from "../../domain/exports/rows.ts";
import { allRunsOf } from "../../domain/watches/runs.ts";
import { columnsOf } from "../shapes/columns.ts";
import { presentRunRow, presentWatch, Watch, WatchRun } from "../shapes/watched-sitemap.ts";
import { mapped, section } from "./section.ts";

/** The sections about watched sitemaps. */
export const WATCH_SECTIONS = {
  watches: section("Watched sitemaps.", {
    columns: columnsOf(Watch),
    batches: ({ db, accountId, service, config }) =>
      mapped(rowsOf(db, "watches", "no", accountId), (row) => presentWatch(row, service, config)),
  }),
  watch_runs: section("Readings of watched sitemaps.", {
    columns: ["watch_id", ...columnsOf(WatchRun)],
    async *batches({ db, accountId }) {
      for await (const watches of rowsOf(db, "watches", "no", accountId))
        for (const watch of watches)
          yield (await allRunsOf(db, watch)).map((run) => ({ watch_id: watch.id, ...presentRunRow(watch, run) }));
    },
  }),
} as const;
