import { and, type Column, eq, exists, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { DAY, type Times } from "../../platform/clock.ts";
import { formatCount } from "../../platform/format.ts";
import { linkKey } from "../../platform/ids.ts";
import { recordEvents } from "../events/record.ts";
import { post } from "../ledger/ledger.ts";
import { costOf } from "../payments/orders/prices.ts";
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
 * completes the project when `mayComplete` and every link is decided. What has happened is recorded as events, together. All
 * in the caller's transaction.
 *
 * @param mayComplete whether these links have no further step in the Google lane
 * @returns the credits returned
 * @throws Error when a link is not in the state it should leave; the transaction must then be rolled back
 */
export async function settleLinks(
  tx: Tx,
  project: ProjectRow,
  moves: readonly Move[],
  { mayComplete, ...cause }: Cause & { readonly mayComplete: boolean },
): Promise<number> {
  const returned = await moveLinks(tx, project, moves, cause);
  const completed = mayComplete ? await completeIfDecided(tx, project, cause.times) : null;
  const events = eventsOfMoves(project, moves, returned);
  if (completed) events.push(completedEvent(completed.project, cause.times.service));
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
  const returned = project.price * (notIndexed + failed);
  if (Object.values(change).some((count) => count !== 0))
    await addToCounts(tx).execute({ ...change, returned, no: project.no });
  if (returned > 0) for (const entry of returnsOf(project, moves, cause)) await returnCredits(tx, project, entry);
  return returned;
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
  for (const { positions, to, patch } of moves) {
    if (positions.length === 0 || (to !== "not_indexed" && to !== "failed")) continue;
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
 * Completes the project when every link is decided, that is, when its Google lane has no open step. A check project then
 * gets back, once, what it paid for links that were not looked up (docs/rules.md rule 7).
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
  // Always writes the row, so that of two transactions that end the last steps at once the later sees the earlier's change.
  const [done] = await tx.q
    .update(projects)
    .set({
      status: sql`CASE WHEN ${isOpen} THEN ${projects.status} ELSE 'completed' END`,
      completedAt: sql`CASE WHEN ${isOpen} THEN ${projects.completedAt} ELSE ${at} END`,
    })
    .where(and(eq(projects.no, project.no), eq(projects.status, "active")))
    .returning();
  if (!done || done.status === "active") return null;
  const returned = await returnUnchecked(tx, done, now);
  return { project: { ...done, creditsReturned: done.creditsReturned + returned }, returned };
}

async function returnUnchecked(tx: Tx, done: ProjectRow, now: number): Promise<number> {
  const { projects } = tx.t;
  const credits = done.kind === "check" ? done.creditsSpent - costOf("check", done.indexed + done.notIndexed) : 0;
  if (credits === 0) return 0;
  await tx.q.update(projects).set({ creditsReturned: credits }).where(eq(projects.no, done.no));
  const description = `${formatCount(done.failed, "URL")} ${done.failed === 1 ? "was" : "were"} not looked up`;
  await returnCredits(tx, done, { credits, source: done.id, description, now });
  return credits;
}
