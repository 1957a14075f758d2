import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import type { FoundPages } from "./estimate.ts";
import type { WatchRow } from "./rows.ts";

export type RunRow = Schema["watchRuns"]["$inferSelect"];

export const RUN_RESULTS = ["done", "held", "failed", "unchanged"] as const;
export type RunResult = (typeof RUN_RESULTS)[number];

/** URLs of each kind that a run shows as examples, at most. */
export const EXAMPLES = 5;

/** A longer URL, in characters, is no example. */
export const EXAMPLE_LENGTH = 300;

export interface RunExamples {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What a run came to, as it is written and shown. */
export type Run = Omit<RunRow, "accountId" | "watchNo" | "no" | "examples" | "notifications" | "notifyAt"> & {
  readonly result: RunResult;
  readonly examples: RunExamples | null;
};

export const EMPTY_RUN = {
  ...{ newPages: 0, changedPages: 0, removedPages: 0, samePages: 0, waiting: 0, submitted: 0, notified: 0 },
  ...{ creditsSpent: 0, projectId: null, reason: null, examples: null },
} as const;

/** URLs of which engines are to be notified. */
export interface Notifications {
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

/** The public id of a run: its watch's and its number there. */
export function runId({ id }: Pick<WatchRow, "id">, { no }: Pick<RunRow, "no">): string {
  return `run_${id.slice(4)}_${no}`;
}

/** The newest runs of a watch, newest first. */
export function runsOf(db: Reader, { no }: Pick<WatchRow, "no">, limit: number): Promise<RunRow[]> {
  const { watchRuns } = db.t;
  return db.q.select().from(watchRuns).where(eq(watchRuns.watchNo, no)).orderBy(desc(watchRuns.no)).limit(limit);
}

/** All runs of a watch, oldest first. */
export function allRunsOf(db: Reader, { no }: Pick<WatchRow, "no">): Promise<RunRow[]> {
  const { watchRuns } = db.t;
  return db.q.select().from(watchRuns).where(eq(watchRuns.watchNo, no)).orderBy(watchRuns.no);
}

/** How many runs of a watch are kept, in addition to the runs that made a project. */
const KEPT = 100;

/**
 * Writes the result of a run. A run that did nothing replaces the one before it if that did nothing for the same reason.
 * @returns its number
 */
export async function writeRun(
  tx: Tx,
  watch: WatchRow,
  run: Run,
  notifications: Notifications | null = null,
): Promise<number> {
  const { watchRuns } = tx.t;
  const { examples, ...columns } = run;
  const [last] = await runsOf(tx, watch, 1);
  if (last && run.result !== "done" && run.result === last.result && run.reason === last.reason) {
    const isLast = and(eq(watchRuns.watchNo, watch.no), eq(watchRuns.no, last.no));
    await tx.q
      .update(watchRuns)
      .set({ ...columns, examples: examples && JSON.stringify(examples) })
      .where(isLast);
    return last.no;
  }
  const no = watch.runs + 1;
  await tx.q.insert(watchRuns).values({
    ...columns,
    watchNo: watch.no,
    no,
    accountId: watch.accountId,
    examples: examples && JSON.stringify(examples),
    notifications: notifications && JSON.stringify(notifications),
    notifyAt: notifications && run.at,
  });
  const isOld = and(eq(watchRuns.watchNo, watch.no), lt(watchRuns.no, no - KEPT), isNull(watchRuns.projectId));
  await tx.q.delete(watchRuns).where(and(isOld, isNull(watchRuns.notifyAt)));
  return no;
}

/**
 * What the runs of the last 30 days have found. A first run is left out, because every page was new to it.
 * @param service now
 */
export async function foundIn30Days(db: Reader, watch: WatchRow, service: number): Promise<FoundPages> {
  const { watchRuns } = db.t;
  const since = service - 30 * DAY;
  const isIn = and(
    eq(watchRuns.watchNo, watch.no),
    gt(watchRuns.at, since),
    eq(watchRuns.result, "done"),
    gt(watchRuns.samePages, 0),
  );
  const total = (column: typeof watchRuns.newPages) => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
  const [row] = await db.q
    .select({ newPages: total(watchRuns.newPages), changedPages: total(watchRuns.changedPages) })
    .from(watchRuns)
    .where(isIn);
  return { ...row!, days: (service - Math.max(since, watch.createdAt)) / DAY };
}
