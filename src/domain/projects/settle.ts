import { and, type Column, eq, exists, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { DAY, type Times } from "../../platform/clock.ts";
import { formatCount, formatNumber } from "../../platform/format.ts";
import { linkKey } from "../../platform/ids.ts";
import { recordEvents } from "../events/record.ts";
import { costOf } from "../ledger/costs.ts";
import { post } from "../ledger/ledger.ts";
import { isHeldOut } from "./create.ts";
import { completeArm } from "./experiments/end.ts";
import type { Move } from "./move.ts";
import { completedEvent, eventsOfMoves } from "./project-events.ts";
import type { ProjectRow } from "./read.ts";
import { returnReason } from "./reasons.ts";
import type { LinkState } from "./states.ts";

/** What moves links, and when. */
export interface Cause {
  /** With the reason of the return, it makes a ledger entry unique. */
  readonly source: string;
  readonly times: Times;
}

/**
 * Changes the state of links and the project's counts, returns the credits of links that ended without being indexed, and
 * completes the project when `mayComplete` and every link is decided. Events record all of it. Everything is in the caller's
 * transaction.
 *
 * @param mayComplete whether these links have no further step in the Google lane
 * @param lookedUp links that were looked up now, before they are sent
 * @returns the credits returned
 * @throws Error when a link is not in the state it should leave; the transaction must then be rolled back
 */
export async function settleLinks(
  tx: Tx,
  project: ProjectRow,
  moves: readonly Move[],
  { mayComplete, lookedUp = 0, ...cause }: Cause & { readonly mayComplete: boolean; readonly lookedUp?: number },
): Promise<number> {
  if (lookedUp > 0) await countLookedUp(tx, project, lookedUp, skippedIn(moves));
  const returned = await moveLinks(tx, project, moves, cause);
  const completed = mayComplete ? await completeIfDecided(tx, project, cause.times) : null;
  const events = eventsOfMoves(project, moves, returned);
  if (completed) {
    const { service } = cause.times;
    events.push(completedEvent(completed.project, service), ...(await completeArm(tx, completed.project, service)));
  }
  await recordEvents(tx, project.accountId, events, cause.times.now);
  return returned + (completed?.returned ?? 0);
}

async function moveLinks(tx: Tx, project: ProjectRow, moves: readonly Move[], cause: Cause): Promise<number> {
  const change: Record<LinkState, number> = { waiting: 0, checking: 0, indexed: 0, not_indexed: 0, failed: 0 };
  for (const { positions, from, to, patch } of moves) {
    if (positions.length === 0) continue;
    const ids = positions.map((position) => linkKey(project.no, position));
    const moved = await tx.moveLinks({ ids, from, patch: { ...patch, state: to } });
    if (moved !== positions.length)
      throw new Error(`${project.id}: ${moved} of ${positions.length} links were in state ${from}`);
    change[from] -= moved;
    change[to] += moved;
  }
  const { not_indexed: notIndexed, failed } = change;
  const returned = project.price * (notIndexed + failed - skippedIn(moves));
  if (Object.values(change).some((count) => count !== 0))
    await addToCounts(tx).execute({ ...change, returned, no: project.no });
  if (returned > 0) for (const entry of returnsOf(project, moves, cause)) await returnCredits(tx, project, entry);
  return returned;
}

/** How many links are not sent because Google has them. Credits come back for them when the project is completed. */
function skippedIn(moves: readonly Move[]): number {
  return moves.reduce((sum, move) => sum + (isSkip(move) ? move.positions.length : 0), 0);
}

function isSkip({ patch }: Move): boolean {
  return patch?.error === "already_indexed";
}

async function countLookedUp(tx: Tx, { no }: ProjectRow, lookedUp: number, skipped: number): Promise<void> {
  const { projects } = tx.t;
  const set = {
    lookedUp: sql`${projects.lookedUp} + ${lookedUp}`,
    alreadyIndexed: sql`${projects.alreadyIndexed} + ${skipped}`,
  };
  await tx.q.update(projects).set(set).where(eq(projects.no, no));
}

interface Return {
  readonly credits: number;
  readonly source: string;
  readonly description: string;
  /** Real time. */
  readonly now: number;
}

/** An entry for each reason, so that every line of the ledger says one thing. */
function returnsOf(project: ProjectRow, moves: readonly Move[], { source, times }: Cause): Return[] {
  const counts = new Map<string, { readonly cause: string; readonly words: string; readonly count: number }>();
  for (const move of moves) {
    const { positions, to, patch } = move;
    if (positions.length === 0 || (to !== "not_indexed" && to !== "failed") || isSkip(move)) continue;
    const words = returnReason(to, patch?.error);
    const count = (counts.get(words)?.count ?? 0) + positions.length;
    counts.set(words, { cause: patch?.error ?? to, words, count });
  }
  const day = Math.floor((times.service - project.createdAt) / DAY);
  return [...counts.values()].map(({ cause, words, count }) => ({
    credits: project.price * count,
    source: `${source}:${cause}`,
    description: `Day ${day}: ${formatCount(count, "URL")} ${count === 1 ? "was" : "were"} ${words}`,
    now: times.now,
  }));
}

const addToCounts = (tx: Tx) =>
  tx.prepared("count_links", ({ q, t: { projects } }) => {
    const plus = (count: Column, name: LinkState | "returned") => sql`${count} + ${sql.placeholder(name)}`;
    return q
      .update(projects)
      .set({
        waiting: plus(projects.waiting, "waiting"),
        checking: plus(projects.checking, "checking"),
        indexed: plus(projects.indexed, "indexed"),
        notIndexed: plus(projects.notIndexed, "not_indexed"),
        failed: plus(projects.failed, "failed"),
        creditsReturned: plus(projects.creditsReturned, "returned"),
      })
      .where(eq(projects.no, sql.placeholder("no")))
      .returning({ no: projects.no });
  });

async function returnCredits(tx: Tx, { accountId, id: projectId, credential }: ProjectRow, entry: Return) {
  await post(tx, { accountId, kind: "return", projectId, credential, ...entry });
}

/**
 * Completes the project when every link is decided, that is, when its Google lane has no open step. Some credits come back only
 * then, in one sum (docs/rules.md rule 7): a check project, also one of held pages, gets back what it paid for links that were not
 * looked up, and a project with `skipIndexed` what it paid for links that Google had, less the lookups.
 *
 * @returns the completed project, and the credits returned now; null where it is not complete
 */
async function completeIfDecided(
  tx: Tx,
  project: ProjectRow,
  { service: at, now }: Times,
): Promise<{ project: ProjectRow; returned: number } | null> {
  const { projects, steps } = tx.t;
  const isOpen = exists(
    tx.q
      .select({ id: steps.id })
      .from(steps)
      .where(and(eq(steps.projectNo, project.no), eq(steps.lane, "google"))),
  );
  // Always writes the row, so that the later of two simultaneous transactions that end the last steps sees the earlier one's
  // change.
  const [done] = await tx.q
    .update(projects)
    .set({
      status: sql`CASE WHEN ${isOpen} THEN ${projects.status} ELSE 'completed' END`,
      completedAt: sql`CASE WHEN ${isOpen} THEN ${projects.completedAt} ELSE ${at} END`,
    })
    .where(and(eq(projects.no, project.no), eq(projects.status, "active")))
    .returning();
  if (!done || done.status === "active") return null;
  const returned = await returnAtCompletion(tx, done, now);
  return { project: { ...done, creditsReturned: done.creditsReturned + returned }, returned };
}

async function returnAtCompletion(tx: Tx, done: ProjectRow, now: number): Promise<number> {
  const { projects } = tx.t;
  const { credits, description } = done.kind === "check" ? uncheckedReturn(done) : skippedReturn(done);
  if (credits === 0) return 0;
  const creditsReturned = done.creditsReturned + credits;
  await tx.q.update(projects).set({ creditsReturned }).where(eq(projects.no, done.no));
  await returnCredits(tx, done, { credits, source: done.id, description, now });
  return credits;
}

type CompletionReturn = Pick<Return, "credits" | "description">;

function uncheckedReturn(project: ProjectRow): CompletionReturn {
  const { creditsSpent, indexed, notIndexed, failed } = project;
  return {
    credits: creditsSpent - costOf(isHeldOut(project) ? "holdout" : "check", indexed + notIndexed),
    description: `${formatCount(failed, "URL")} ${failed === 1 ? "was" : "were"} not looked up`,
  };
}

function skippedReturn({ price, alreadyIndexed, lookedUp }: ProjectRow): CompletionReturn {
  const kept = Math.min(price * alreadyIndexed, costOf("check", lookedUp));
  return {
    credits: price * alreadyIndexed - kept,
    description: `${formatCount(alreadyIndexed, "URL")} ${alreadyIndexed === 1 ? "was" : "were"} in Google already, less ${formatCount(kept, "credit")} for looking up ${formatNumber(lookedUp)}`,
  };
}
