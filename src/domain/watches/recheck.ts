import { and, asc, eq, isNotNull, isNull, lte, ne, or } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY, type Times } from "../../platform/clock.ts";
import type { Principal } from "../../platform/principal.ts";
import { SIZES } from "../../platform/sizes.ts";
import { packUrls } from "../../platform/urls/packed-urls.ts";
import { recordEvents } from "../events/record.ts";
import { IDS_PER_EVENT, type NewEvent } from "../events/types.ts";
import { costOf, URLS_CHECKED_PER_CREDIT } from "../ledger/costs.ts";
import { createProject } from "../projects/create.ts";
import type { ProjectRow } from "../projects/read.ts";
import { calendarDay } from "../spending/calendar.ts";
import { type Allowance, allowanceOf, spentIn } from "./budget.ts";
import { changeRow, takeRevision } from "./commit-run.ts";
import { countRecheckPages, indexedLinks, linksIn, pastLooks } from "./rechecked-links.ts";
import { settingsOf, type WatchRow } from "./rows.ts";
import { EMPTY_RUN, writeRun } from "./runs.ts";
import { nextRecheckAt } from "./schedule.ts";
import { lockAccount } from "./watches.ts";

/**
 * Running watches whose indexed pages are to be looked up again, or whose check is over. They do not wait for a run: one that
 * is weekly would tell a week later what a check has found. Watches that run at the moment are left for later.
 */
export async function watchesToRecheck(db: Reader, { now, service }: Times, limit: number): Promise<WatchRow[]> {
  const { watches, projects } = db.t;
  const isFree = or(isNull(watches.leaseUntil), lte(watches.leaseUntil, now));
  const runs = and(isNotNull(watches.nextRunAt), isFree);
  // Two queries, each of which reads an index of its own.
  const isDue = and(lte(watches.recheckAt, service), isNull(watches.recheckProject), runs);
  const due = await db.q.select().from(watches).where(isDue).orderBy(asc(watches.recheckAt)).limit(limit);
  if (due.length === limit) return due;
  const finished = await db.q
    .select({ watch: watches })
    .from(watches)
    .innerJoin(projects, eq(projects.id, watches.recheckProject))
    .where(and(isNotNull(watches.recheckProject), ne(projects.status, "active"), runs))
    .limit(limit - due.length);
  return [...due, ...finished.map(({ watch }) => watch)];
}

/** Whether a check looks up pages that were indexed: what it does not find any more was dropped. */
export async function isRecheck(db: Reader, { id, accountId, kind }: ProjectRow): Promise<boolean> {
  if (kind !== "check") return false;
  const { watches } = db.t;
  const isOne = and(eq(watches.accountId, accountId), eq(watches.recheckProject, id));
  return (await db.q.select({ no: watches.no }).from(watches).where(isOne).limit(1)).length > 0;
}

/**
 * Looks indexed pages of a watch up again, by a check that is made within its credits, and tells of the pages that a finished
 * check has not found. A check says so after two clean looks.
 * @throws RunLost
 */
export async function recheckPages(
  tx: Tx,
  found: WatchRow,
  { principal, times }: { principal: Principal; times: Times },
): Promise<void> {
  const balance = await lockAccount(tx, found.accountId);
  const watch = await takeRevision(tx, found);
  if (watch.recheckProject !== null) return finishRecheck(tx, watch, times);
  const allowance = await allowanceOf(tx, watch, { ...times, balance });
  const due = await pagesToLookUp(tx, watch);
  const urls = due.slice(0, Math.min(SIZES.urlsPerSubmission, allowance.credits * URLS_CHECKED_PER_CREDIT));
  const recheckAt = due.length > 0 && urls.length === 0 ? whenAffordable(watch, allowance, times) : again(watch, times);
  if (urls.length === 0) return void (await changeRow(tx, watch, { recheckAt }));
  const { accountId, id, sitemapUrl } = watch;
  const { project } = await createProject(tx, {
    ...{ kind: "check", accountId, urls: packUrls(urls), ...times },
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

/**
 * URLs of indexed pages, the ones that were looked up longest ago first: where the credits are not enough for all of them, each
 * is reached in turn. Pages that their own project still looks up are not among them.
 */
async function pagesToLookUp(db: Reader, watch: WatchRow): Promise<string[]> {
  const { stopWhenIndexed } = settingsOf(watch);
  const looks = await pastLooks(db, watch);
  const due: { readonly url: string; readonly lookedUpAt: number }[] = [];
  for (const [url, { project }] of await indexedLinks(db, watch)) {
    const past = looks.get(url);
    if (project.completedAt === null || (stopWhenIndexed && past?.wasFound)) continue;
    due.push({ url, lookedUpAt: Math.max(project.completedAt, past?.at ?? 0) });
  }
  return due.sort((one, other) => one.lookedUpAt - other.lookedUpAt).map(({ url }) => url);
}

function again(watch: WatchRow, { service }: Times): number | null {
  return nextRecheckAt(settingsOf(watch).recheck, service);
}

/** When pages are looked up for which there are no credits now: as soon as there are credits again. */
function whenAffordable(watch: WatchRow, { limit }: Allowance, times: Times): number | null {
  const regular = again(watch, times);
  if (regular === null) return null;
  const { service } = times;
  return Math.min(regular, limit === "credits_per_month" ? calendarDay(service).nextMonth : service + DAY);
}

async function finishRecheck(tx: Tx, watch: WatchRow, { now }: Times): Promise<void> {
  const { projects } = tx.t;
  const [check] = await tx.q.select().from(projects).where(eq(projects.id, watch.recheckProject!));
  if (check?.status === "active") return;
  const recheckPages = await countRecheckPages(tx, watch, settingsOf(watch));
  await changeRow(tx, watch, { recheckProject: null, recheckPages });
  if (check) await recordEvents(tx, watch.accountId, await dropsOf(tx, watch, check), now);
}

/** An event for each project that has links which the check has not found. A page that stays away is told of once. */
async function dropsOf(tx: Tx, watch: WatchRow, check: ProjectRow): Promise<NewEvent[]> {
  const known = await indexedLinks(tx, watch);
  const earlier = await pastLooks(tx, watch, check.no);
  const drops = new Map<string, { links: string[]; reasons: Record<string, number> }>();
  for (const { url, state, error } of await linksIn(tx, check.no)) {
    const link = known.get(url);
    if (state !== "not_indexed" || !link) continue;
    const last = earlier.get(url)?.last;
    if (last?.state === "not_indexed" && last.projectNo > link.project.no) continue;
    const { id: projectId } = link.project;
    const drop = drops.get(projectId) ?? { links: [], reasons: {} };
    drops.set(projectId, drop);
    drop.links.push(link.id);
    const reason = error === null || error === "no_match" ? "dropped" : error;
    drop.reasons[reason] = (drop.reasons[reason] ?? 0) + 1;
  }
  return [...drops].map(([project_id, { links, reasons }]) => {
    const data = { project_id, count: links.length, links: links.slice(0, IDS_PER_EVENT), reasons };
    return { type: "links.dropped", projectId: project_id, data };
  });
}
