import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { linkId, linkKey, positionOf } from "../../platform/ids.ts";
import { SIZES } from "../../platform/limits.ts";
import type { Principal } from "../../platform/principal.ts";
import { recordEvents } from "../events/record.ts";
import { IDS_PER_EVENT, type NewEvent } from "../events/types.ts";
import { costOf, URLS_CHECKED_PER_CREDIT } from "../payments/orders/prices.ts";
import { createProject } from "../projects/create.ts";
import type { ProjectRow } from "../projects/read.ts";
import { calendarDay } from "../spending/calendar.ts";
import { allowanceOf, spentIn } from "./budget.ts";
import { changeRow, takeVersion } from "./commit-run.ts";
import { settingsOf, type WatchRow } from "./rows.ts";
import { EMPTY_RUN, writeRun } from "./runs.ts";
import { nextRecheckAt } from "./schedule.ts";
import { lockAccount } from "./watches.ts";

/** Whether indexed pages of a watch are to be looked up again now, or a check of them may be over. */
export function isRecheckDue({ recheckAt, recheckProject }: WatchRow, service: number): boolean {
  return recheckProject !== null || (recheckAt !== null && recheckAt <= service);
}

/**
 * Looks indexed pages of a watch up again, by a check that is made within its credits, and tells of those that a finished check has
 * not found: a check says so after two clean looks.
 * @throws RunLost
 */
export async function recheckPages(
  tx: Tx,
  watch: WatchRow,
  { principal, times }: { principal: Principal; times: Times },
): Promise<void> {
  const balance = await lockAccount(tx, watch.accountId);
  await takeVersion(tx, watch);
  if (watch.recheckProject !== null) return finishRecheck(tx, watch, times);
  const { recheck, stopWhenIndexed } = settingsOf(watch);
  const { credits } = await allowanceOf(tx, watch, { ...times, balance });
  const most = Math.min(SIZES.urlsPerSubmission, credits * URLS_CHECKED_PER_CREDIT);
  const found = stopWhenIndexed ? await foundByRechecks(tx, watch) : new Set<string>();
  const urls = [...(await indexedLinks(tx, watch)).keys()].filter((url) => !found.has(url)).slice(0, most);
  const recheckAt = nextRecheckAt(recheck, times.service);
  if (urls.length === 0) return void (await changeRow(tx, watch, { recheckAt }));
  const { accountId, id, sitemapUrl } = watch;
  const { project } = await createProject(tx, {
    ...{ kind: "check", accountId, urls, ...times },
    name: `Recheck of ${new URL(sitemapUrl).hostname}`.slice(0, SIZES.projectName),
    spender: { principal, operation: "run_watch", inputHash: () => id },
  });
  const cost = costOf("check", urls.length);
  const run = { ...EMPTY_RUN, at: times.service, result: "done", reason: "recheck", samePages: watch.pages } as const;
  const no = await writeRun(tx, watch, { ...run, creditsSpent: cost, projectId: project.id, waiting: watch.waiting });
  const month = Math.max(watch.month, calendarDay(times.service).month);
  const spentThisMonth = spentIn(watch, times.service) + cost;
  await changeRow(tx, watch, { recheckAt, recheckProject: project.id, runs: no, month, spentThisMonth });
}

async function finishRecheck(tx: Tx, watch: WatchRow, { now }: Times): Promise<void> {
  const { projects } = tx.t;
  const [check] = await tx.q.select().from(projects).where(eq(projects.id, watch.recheckProject!));
  if (check?.status === "active") return;
  await changeRow(tx, watch, { recheckProject: null });
  if (check) await recordEvents(tx, watch.accountId, await dropsOf(tx, watch, check), now);
}

/** An event for each project that has links which the check has not found. */
async function dropsOf(tx: Tx, watch: WatchRow, check: ProjectRow): Promise<NewEvent[]> {
  const known = await indexedLinks(tx, watch);
  const drops = new Map<string, { links: string[]; reasons: Record<string, number> }>();
  for (const { url, error } of await linksIn(tx, check.no, "not_indexed")) {
    const link = known.get(url);
    if (!link) continue;
    const drop = drops.get(link.projectId) ?? { links: [], reasons: {} };
    drops.set(link.projectId, drop);
    drop.links.push(link.id);
    const reason = error ?? "dropped";
    drop.reasons[reason] = (drop.reasons[reason] ?? 0) + 1;
  }
  return [...drops].map(([project_id, { links, reasons }]) => {
    const data = { project_id, count: links.length, links: links.slice(0, IDS_PER_EVENT), reasons };
    return { type: "links.dropped", projectId: project_id, data };
  });
}

/** The newest indexed link of each URL that the watch has submitted. */
async function indexedLinks(db: Reader, watch: WatchRow): Promise<Map<string, { projectId: string; id: string }>> {
  const links = new Map<string, { projectId: string; id: string }>();
  for (const { no, id: projectId } of await projectsOf(db, watch, "index"))
    for (const { id, url } of await linksIn(db, no, "indexed"))
      links.set(url, { projectId, id: linkId(projectId, positionOf(id)) });
  return links;
}

async function foundByRechecks(db: Reader, watch: WatchRow): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { no } of await projectsOf(db, watch, "check"))
    for (const { url } of await linksIn(db, no, "indexed")) found.add(url);
  return found;
}

/** The projects that runs of a watch have made, oldest first. */
function projectsOf(db: Reader, watch: WatchRow, kind: ProjectRow["kind"]) {
  const { projects, watchRuns } = db.t;
  return db.q
    .select({ no: projects.no, id: projects.id })
    .from(watchRuns)
    .innerJoin(projects, eq(projects.id, watchRuns.projectId))
    .where(and(eq(watchRuns.watchNo, watch.no), eq(projects.kind, kind)))
    .orderBy(asc(projects.no));
}

function linksIn(db: Reader, projectNo: number, state: "indexed" | "not_indexed") {
  const { links } = db.t;
  const isOfProject = and(gte(links.id, linkKey(projectNo, 0)), lt(links.id, linkKey(projectNo + 1, 0)));
  return db.q
    .select({ id: links.id, url: links.url, error: links.error })
    .from(links)
    .where(and(isOfProject, eq(links.state, state)));
}
