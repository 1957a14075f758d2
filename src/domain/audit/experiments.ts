import { and, count, eq, gte, inArray, isNotNull, isNull, lt, lte } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { DAY } from "../../platform/clock.ts";
import { linkKey } from "../../platform/ids.ts";
import type { EventData } from "../events/types.ts";
import { isHeldOut } from "../projects/create.ts";
import type { ExperimentRow } from "../projects/experiments/read.ts";
import type { ProjectRow } from "../projects/read.ts";
import { matchingLinks } from "../projects/submitted.ts";
import { expect } from "./expect.ts";

/**
 * No page that is held out was sent before the end: neither by its own project nor by a watch. An experiment is decided exactly when
 * both its projects are completed, not before the final check where a page was looked up, and is told of once. Experiments of deleted
 * accounts are left out.
 */
export async function auditExperiments(db: Reader, projects: readonly ProjectRow[], problems: string[]): Promise<void> {
  const { experiments, accounts } = db.t;
  const rows = await db.q
    .select({ row: experiments })
    .from(experiments)
    .innerJoin(accounts, and(eq(accounts.id, experiments.accountId), isNull(accounts.deletedAt)));
  const byNumber = new Map(projects.map((project) => [project.no, project]));
  for (const { row } of rows) {
    const [sent, held] = [byNumber.get(row.projectNo), byNumber.get(row.controlNo)];
    if (!sent || !held) problems.push(`experiment ${row.id} lacks a project`);
    else await auditExperiment(db, row, { sent, held, projects }, problems);
  }
}

interface Arms {
  readonly sent: ProjectRow;
  readonly held: ProjectRow;
  /** All projects. */
  readonly projects: readonly ProjectRow[];
}

async function auditExperiment(db: Reader, row: ExperimentRow, arms: Arms, problems: string[]): Promise<void> {
  const name = `experiment ${row.id}`;
  const { sent, held } = arms;
  for (const { id, experimentId, accountId } of [sent, held])
    if (experimentId !== row.id || accountId !== row.accountId) problems.push(`${name}: project ${id} is not its own`);
  if (!isHeldOut(held)) problems.push(`${name}: the pages of project ${held.id} are not held out`);
  const open = [sent, held].filter(({ status }) => status === "active").length;
  expect(problems, `${name}: projects that are not completed`, row.openArms, open);
  expect(problems, `${name}: whether it is decided`, row.decidedAt !== null, open === 0);
  for (const { id, completedAt, createdAt, indexed, notIndexed } of [sent, held])
    if (completedAt !== null && indexed + notIndexed > 0 && completedAt < createdAt + CHECK_DAYS.final * DAY)
      problems.push(`${name}: project ${id} was completed before day ${CHECK_DAYS.final}`);
  const { urlSets } = db.t;
  const [set] = await db.q.select({ n: count() }).from(urlSets).where(eq(urlSets.projectNo, held.no));
  expect(problems, `${name}: lists of held pages`, set!.n, row.decidedAt === null ? 1 : 0);
  await auditEvent(db, row, problems);
  await auditHeldPages(db, row, arms, problems);
}

async function auditEvent(db: Reader, { id, accountId, decidedAt }: ExperimentRow, problems: string[]): Promise<void> {
  const { events } = db.t;
  const isDecision = and(eq(events.accountId, accountId), eq(events.type, "experiment.decided"));
  const rows = await db.q.select({ data: events.data }).from(events).where(isDecision);
  const told = rows.filter(({ data }) => {
    const { experiment_id: decided } = JSON.parse(data) as EventData["experiment.decided"];
    return decided === id;
  }).length;
  // Events are kept for a while only.
  if (told > (decidedAt === null ? 0 : 1)) problems.push(`experiment ${id} was told of ${told} times`);
}

/** What a person or a credential submits by itself is its own decision, and is not looked at. */
async function auditHeldPages(db: Reader, row: ExperimentRow, { held, projects }: Arms, problems: string[]) {
  const { links, deliveries, urlSets } = db.t;
  const name = `experiment ${row.id}`;
  const isHeld = and(gte(links.id, linkKey(held.no, 0)), lt(links.id, linkKey(held.no + 1, 0)));
  const pages = await db.q
    .select({ url: links.url, state: links.state, sentAt: links.sentAt })
    .from(links)
    .where(isHeld);
  const [handed] = await db.q.select({ n: count() }).from(deliveries).where(eq(deliveries.projectNo, held.no));
  const sent = pages.filter(({ sentAt }) => sentAt !== null).length;
  if (sent > 0 || handed!.n > 0) problems.push(`${name}: ${Math.max(sent, handed!.n)} held pages were sent`);
  const byWatches = await watchedMeanwhile(db, row, projects);
  if (byWatches.length === 0) return;
  const urls = pages.filter(({ state }) => state !== "failed").map(({ url }) => url);
  const isLink = isNotNull(links.sentAt);
  const found = await matchingLinks(db, row.accountId, urls, { isSet: inArray(urlSets.projectNo, byWatches), isLink });
  const again = found.reduce((sum, each) => sum + each, 0);
  if (again > 0) problems.push(`${name}: a watch has sent ${again} held pages`);
}

/** Numbers of the projects that watches have made while the experiment ran. */
async function watchedMeanwhile(
  db: Reader,
  { accountId, createdAt, decidedAt }: ExperimentRow,
  projects: readonly ProjectRow[],
): Promise<number[]> {
  const { watchRuns } = db.t;
  const end = decidedAt ?? Number.MAX_SAFE_INTEGER;
  const isMeanwhile = and(gte(watchRuns.at, createdAt), lte(watchRuns.at, end), isNotNull(watchRuns.projectId));
  const runs = await db.q
    .select({ id: watchRuns.projectId })
    .from(watchRuns)
    .where(and(eq(watchRuns.accountId, accountId), isMeanwhile));
  const ids = new Set(runs.map(({ id }) => id));
  return projects
    .filter(({ id, kind, createdAt: madeAt }) => kind === "index" && ids.has(id) && madeAt > createdAt && madeAt < end)
    .map(({ no }) => no);
}
