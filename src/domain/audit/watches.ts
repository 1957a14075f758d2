import { and, eq, isNotNull, isNull, ne, or } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { ProjectRow } from "../projects/read.ts";
import { calendarDay } from "../spending/calendar.ts";
import type { WatchRow } from "../watches/rows.ts";
import { type RunRow, runId } from "../watches/runs.ts";
import { loadPages } from "../watches/store-pages.ts";
import { duplicates, expect } from "./expect.ts";

/**
 * A run of a watch has spent what its project and the ledger say. A watch has spent in its month what its runs have spent, and
 * its counts of pages agree with the known pages. Watches of deleted accounts are left out.
 */
export async function auditWatches(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { watches, accounts } = db.t;
  const rows = await db.q
    .select({ watch: watches })
    .from(watches)
    .innerJoin(accounts, and(eq(accounts.id, watches.accountId), isNull(accounts.deletedAt)))
    .orderBy(watches.no);
  if (rows.length === 0) return;
  const projectOf = new Map(projects.map((project) => [project.id, project]));
  const runs = await spendingRuns(db);
  for (const id of duplicates(runs.map(({ projectId }) => projectId)))
    problems.push(`project ${id} was made by two runs of watches`);
  const runsOf = new Map<number, SpendingRun[]>();
  for (const run of runs) {
    const own = runsOf.get(run.watchNo);
    if (own) own.push(run);
    else runsOf.set(run.watchNo, [run]);
  }
  for (const { watch } of rows) {
    const own = runsOf.get(watch.no) ?? [];
    for (const run of own) auditRun(watch, run, projectOf, problems);
    const inMonth = own.filter(({ at }) => calendarDay(at).month === watch.month);
    const spent = inMonth.reduce((total, { creditsSpent }) => total + creditsSpent, 0);
    expect(problems, `watch ${watch.id}: spent this month`, watch.spentThisMonth, spent);
    await auditPages(db, watch, problems);
  }
}

type SpendingRun = Pick<RunRow, "watchNo" | "no" | "at" | "creditsSpent" | "projectId">;

/** Runs that have made a project, or say that they have spent. */
function spendingRuns(db: Reader): Promise<SpendingRun[]> {
  const { watchRuns } = db.t;
  const { watchNo, no, at, creditsSpent, projectId } = watchRuns;
  return db.q
    .select({ watchNo, no, at, creditsSpent, projectId })
    .from(watchRuns)
    .where(or(isNotNull(projectId), ne(creditsSpent, 0)));
}

function auditRun(
  watch: WatchRow,
  run: SpendingRun,
  projectOf: ReadonlyMap<string, ProjectRow>,
  problems: string[],
): void {
  const name = `watch ${watch.id}, run ${runId(watch, run)}`;
  const project = run.projectId === null ? null : projectOf.get(run.projectId);
  if (project === undefined) problems.push(`${name}: project ${run.projectId} does not exist`);
  if (project && project.accountId !== watch.accountId) problems.push(`${name}: its project is another account's`);
  expect(problems, `${name}: credits spent`, run.creditsSpent, project?.creditsSpent ?? 0);
}

/** The known pages are in as many parts as the watch says, and agree with its counts. */
async function auditPages(db: Reader, watch: WatchRow, problems: string[]): Promise<void> {
  const { watchPages } = db.t;
  const name = `watch ${watch.id}`;
  const parts = await db.q.select({ part: watchPages.part }).from(watchPages).where(eq(watchPages.watchNo, watch.no));
  const beyond = parts.filter(({ part }) => part >= watch.parts).length;
  expect(problems, `${name}: stored parts beyond its ${watch.parts}`, beyond, 0);
  const { pages, waiting } = await (await loadPages(db, watch)).counts();
  expect(problems, `${name}: pages`, watch.pages, pages);
  expect(problems, `${name}: waiting pages`, watch.waiting, waiting);
}
