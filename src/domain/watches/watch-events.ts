import type { NewEvent } from "../events/types.ts";
import type { WatchRow } from "./rows.ts";
import type { Run, RunRow } from "./runs.ts";
import { runId } from "./runs.ts";
import type { HoldReason } from "./sense.ts";

/** How many runs in a row fail before anybody is told. */
export const FAILING = 3;

/** What is told of a run. A run that found nothing is not told, and what holds or stops a watch is told once. */
export function eventsOfRun(
  watch: WatchRow,
  run: Run & Pick<RunRow, "no">,
  { failures, hold, month }: { failures: number; hold: HoldReason | null; month: number },
): NewEvent[] {
  const about = { watch_id: watch.id, sitemap_url: watch.sitemapUrl };
  const counts = { new: run.newPages, changed: run.changedPages, removed: run.removedPages };
  const { projectId, reason, waiting } = run;
  if (run.result === "failed") {
    const data = { ...about, failures, reason: reason ?? "unknown" };
    return failures === FAILING ? [{ type: "watch.failing", data }] : [];
  }
  if (hold) {
    const isTold = watch.status === "held" && watch.reason === hold;
    const data = { ...about, status: "held", reason: hold, known: watch.pages, ...counts } as const;
    return isTold ? [] : [{ type: "watch.held", data }];
  }
  const events: NewEvent[] = [];
  if (run.result === "done") {
    const done = { waiting, submitted: run.submitted, credits_spent: run.creditsSpent, project_id: projectId };
    const data = { ...about, run_id: runId(watch, run), ...counts, ...done };
    events.push({ type: "watch.ran", data, ...(projectId ? { projectId } : {}) });
  }
  const isSpent = reason === "credits_per_month" || reason === "credential" || reason === "balance";
  if (isSpent && watch.toldMonth < month)
    events.push({ type: "watch.budget_spent", data: { ...about, limit: reason, waiting } });
  return events;
}
