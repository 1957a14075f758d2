import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { LIMITS } from "../../platform/limits.ts";
import type { Principal } from "../../platform/principal.ts";
import { Slices } from "../../platform/slices.ts";
import { packUrls } from "../../platform/urls/packed-urls.ts";
import { requireMayAct } from "../credentials/may-act.ts";
import { recordEvents } from "../events/record.ts";
import { createProject } from "../projects/create.ts";
import { calendarDay } from "../spending/calendar.ts";
import type { Agreed } from "../spending/spender.ts";
import { applyPlan } from "./apply-plan.ts";
import { spentIn } from "./budget.ts";
import { type Decision, decideRun, type RunInput } from "./decide.ts";
import { monthPagesOf } from "./estimate.ts";
import type { KnownPages } from "./known-pages.ts";
import { RUNNING } from "./maker.ts";
import type { RunPlan } from "./plan.ts";
import { countRecheckPages } from "./rechecked-links.ts";
import type { WatchRow } from "./rows.ts";
import { settingsOf } from "./rows.ts";
import { foundIn30Days, type Notifications, type Run, type RunRow, writeRun } from "./runs.ts";
import { nextRunAt } from "./schedule.ts";
import { partsWithoutUrls, savePages } from "./store-pages.ts";
import { eventsOfRun } from "./watch-events.ts";
import { lockAccount } from "./watches.ts";

/** The watch was changed, or run by another process, since this run began. Nothing was written. */
export class RunLost extends Error {
  override readonly name = "RunLost";
}

/** A reading that is to be carried out. */
export interface ReadingToCommit extends RunInput {
  readonly kind: "read";
  /** As whom it spends. */
  readonly principal: Principal;
  /** What the next conditional request needs. */
  readonly documents: string | null;
  readonly preflight: boolean;
  /** What a page has shown whose button runs it. */
  readonly agreed?: Agreed | undefined;
  readonly times: Times;
}

export interface CommittedRun {
  readonly watch: WatchRow;
  readonly run: Run & Pick<RunRow, "no">;
}

/**
 * Carries a reading out, in one transaction: the project is made, what is known of its pages moves on, and the run and its
 * events are written. A kill leaves all of it or nothing. If two runs began from the same pages, one is lost.
 *
 * @throws RunLost
 * @throws Refusal unauthorized, insufficient_scope, spending_limit when its maker may not act any more
 * @throws AboveAgreed
 */
export async function commitReading(tx: Tx, input: ReadingToCommit): Promise<CommittedRun> {
  const { times, documents } = input;
  const balance = await lockAccount(tx, input.watch.accountId);
  const watch = await takeRevision(tx, input.watch);
  await requireMayAct(tx, input.principal, { scopes: RUNNING, spends: true, now: times.now });
  const { run, plan, hold } = await decideRun(tx, { ...input, watch }, { ...times, balance });
  if (plan === null) {
    const no = await writeRun(tx, watch, run);
    const held = { status: "held", reason: hold!.reason, heldDigest: hold!.digest };
    const set = { ...held, runs: no, failures: 0, documents };
    return finish(tx, watch, { ...run, no }, { set, times, hold });
  }
  const projectId = await submitPages(tx, { ...input, watch }, plan);
  const next = await applyPlan(input, plan, times.service);
  await store(tx, input, next);
  const notifications = notificationsOf(input, plan);
  const done = { ...run, projectId };
  const no = await writeRun(tx, watch, done, notifications);
  const settings = settingsOf(watch);
  const found = await foundIn30Days(tx, watch, times.service);
  const { pages, waiting } = await next.counts();
  const month = { found, waiting: settings.newPages === "submit" ? run.waiting : 0, now: times.service };
  const set = {
    ...{ status: "active", reason: null, heldDigest: null, runs: no, failures: 0 },
    ...{ firstRun: "done", waiting, parts: next.parts },
    ...{ pages, monthPages: monthPagesOf(settings, input.listing, month) },
    recheckPages: settings.recheck === "off" ? 0 : await countRecheckPages(tx, { ...watch, pages }, settings),
    ...{ month: Math.max(watch.month, calendarDay(times.service).month) },
    ...{ spentThisMonth: spentIn(watch, times.service) + plan.credits },
    documents,
  };
  return finish(tx, watch, { ...done, no }, { set, times, hold: null });
}

/** A reading of which the server said that nothing has changed: what was held stays held. @throws RunLost */
export async function commitUnchanged(tx: Tx, watch: WatchRow, run: Run, times: Times): Promise<CommittedRun> {
  if (watch.status === "active" && watch.failures === 0 && (await isRepeated(tx, watch, times))) {
    const nextAt = nextRunAt(watch.id, settingsOf(watch).every, times.service);
    const readAt = times.service;
    const taken = await postponing(tx).execute({ no: watch.no, revision: watch.revision, nextAt, readAt });
    if (taken.length === 0) throw new RunLost();
    const changed = { ...watch, revision: watch.revision + 1, nextRunAt: nextAt, readAt };
    return { watch: changed, run: { ...run, no: watch.runs } };
  }
  const now = await takeRevision(tx, watch);
  const no = now.status === "held" ? now.runs : await writeRun(tx, now, run);
  return finish(tx, now, { ...run, no }, { set: { runs: no, failures: 0 }, times, hold: null });
}

/**
 * Whether the last run has found nothing either; if so, its row becomes the row of this run. Most runs do so, hence the
 * prepared statements.
 */
async function isRepeated(tx: Tx, { no, runs, waiting }: WatchRow, { service }: Times): Promise<boolean> {
  const query = tx.prepared("repeat_watch_run", ({ q, t: { watchRuns } }) => {
    const isLast = and(eq(watchRuns.watchNo, sql.placeholder("no")), eq(watchRuns.no, sql.placeholder("runs")));
    const isSame = and(eq(watchRuns.result, "unchanged"), eq(watchRuns.waiting, sql.placeholder("waiting")));
    const set = { at: sql`${sql.placeholder("at")}` };
    return q.update(watchRuns).set(set).where(and(isLast, isSame)).returning({ no: watchRuns.no });
  });
  return (await query.execute({ no, runs, waiting, at: service })).length > 0;
}

/** Takes the revision of a watch, and sets when it was read and runs next. */
const postponing = (tx: Tx) =>
  tx.prepared("postpone_watch", ({ q, t: { watches } }) => {
    const isIt = and(eq(watches.no, sql.placeholder("no")), eq(watches.revision, sql.placeholder("revision")));
    const times = { nextRunAt: sql`${sql.placeholder("nextAt")}`, readAt: sql`${sql.placeholder("readAt")}` };
    const set = { revision: sql`${watches.revision} + 1`, ...times, leaseUntil: sql`NULL` };
    return q.update(watches).set(set).where(isIt).returning({ no: watches.no });
  });

/** A reading that failed changes nothing of what is known. @throws RunLost */
export async function commitFailure(tx: Tx, watch: WatchRow, run: Run, times: Times): Promise<CommittedRun> {
  const now = await takeRevision(tx, watch);
  const no = await writeRun(tx, now, run);
  const set = { runs: no, failures: now.failures + 1 };
  return finish(tx, now, { ...run, no }, { set, times, hold: null });
}

type Submission = Pick<ReadingToCommit, "watch" | "listing" | "principal" | "agreed" | "preflight" | "times">;

/** Submits what a plan says, as one project. @returns its id; null: nothing is to be submitted */
export async function submitPages(tx: Tx, submission: Submission, plan: RunPlan): Promise<string | null> {
  const { watch, listing, principal, agreed, preflight, times } = submission;
  if (plan.submit.length === 0) return null;
  const { accountId, sitemapUrl, id } = watch;
  const { project } = await createProject(tx, {
    kind: "index",
    accountId,
    spender: { principal, operation: "run_watch", inputHash: () => id, agreed },
    mode: settingsOf(watch).mode,
    name: `Watch of ${new URL(sitemapUrl).hostname}`.slice(0, 120),
    ...{ bing: true, yandex: true, dripDays: 0, preflight, sitemapUrl, ...times },
    urls: packUrls(plan.submit.map((index) => listing.urls.at(index)!)),
  });
  return project.id;
}

/** Writes what is known. Where removed pages are told of, the URLs of all pages are stored too. */
async function store(tx: Tx, { watch, listing, difference }: ReadingToCommit, next: KnownPages): Promise<void> {
  if (watch.removedPages !== "notify") return savePages(tx, watch, next, null);
  for (const part of await partsWithoutUrls(tx, watch)) next.markChanged(part);
  const { hashes } = difference;
  const listed = new Int32Array(next.size).fill(-1);
  const slices = new Slices();
  for (let index = 0; index < listing.urls.length; index++) {
    listed[next.find(hashes[2 * index]!, hashes[2 * index + 1]!)] = index;
    if (index % 256 === 0 && slices.isOver()) await slices.next();
  }
  const urlOf = (index: number) => (index === -1 ? "" : listing.urls.at(index)!);
  await savePages(tx, watch, next, (page) => urlOf(listed[page]!));
}

/** Most pages that a list of gone pages keeps: engines are told of no more in a day. */
const MOST_DELETED = LIMITS.notified_urls.count;

function notificationsOf({ watch, listing, removedUrls }: RunInput, plan: RunPlan): Notifications | null {
  const updated = plan.notify.map((index) => listing.urls.at(index)!);
  const deleted =
    watch.removedPages === "notify" && watch.firstRun === "done" ? removedUrls.slice(0, MOST_DELETED) : [];
  return updated.length + deleted.length > 0 ? { updated, deleted } : null;
}

interface Finish {
  readonly set: Partial<WatchRow>;
  readonly times: Times;
  readonly hold: Decision["hold"];
}

async function finish(
  tx: Tx,
  watch: WatchRow,
  run: CommittedRun["run"],
  { set, times, hold }: Finish,
): Promise<CommittedRun> {
  const isWatched = watch.status === "active" || watch.status === "held";
  const next = isWatched ? nextRunAt(watch.id, settingsOf(watch).every, times.service) : watch.nextRunAt;
  const { month } = calendarDay(times.service);
  const events = eventsOfRun(watch, run, { failures: set.failures ?? 0, hold: hold?.reason ?? null, month });
  const hasTold = events.some(({ type }) => type === "watch.budget_spent");
  const after = {
    ...set,
    ...(isWatched ? {} : { status: watch.status }),
    nextRunAt: next,
    leaseUntil: null,
    readAt: times.service,
  };
  const changed = await changeRow(tx, watch, { ...after, ...(hasTold ? { toldMonth: month } : {}) });
  await recordEvents(tx, watch.accountId, events, times.now);
  return { watch: changed, run };
}

/**
 * Makes this the one run that goes on from what was read.
 * @returns the watch as it is now: meanwhile it may have spent for pages that its hook has named
 * @throws RunLost
 */
export async function takeRevision(tx: Tx, { no, revision }: WatchRow): Promise<WatchRow> {
  const { watches } = tx.t;
  const taken = await tx.q
    .update(watches)
    .set({ revision: sql`${watches.revision} + 1` })
    .where(and(eq(watches.no, no), eq(watches.revision, revision)))
    .returning();
  if (taken.length === 0) throw new RunLost();
  return taken[0]!;
}

export async function changeRow(tx: Tx, { no }: WatchRow, set: Partial<WatchRow>): Promise<WatchRow> {
  const { watches } = tx.t;
  const [row] = await tx.q.update(watches).set(set).where(eq(watches.no, no)).returning();
  return row!;
}
