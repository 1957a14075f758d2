import { and, eq, isNull } from "drizzle-orm";
import type { Engine, Tx, TxOptions, WorkLink } from "../../../db/engine.ts";
import { balanceOf } from "../../domain/ledger/ledger.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { completeIfDecided, type Move, moveLinks } from "../../domain/projects/settle.ts";
import type { Times } from "../../platform/clock.ts";
import { positionOf } from "../../platform/ids.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import { removeHeldStep, updateHeldStep } from "./lease.ts";
import type { Member } from "./members.ts";
import { CHECK_ENDS, retryHeld, retrySend, slot } from "./schedule.ts";

/**
 * Just before an upstream is called: drops the links that were cancelled meanwhile, holds the step back while
 * the account is below zero, and writes down the intent, so that a crash during the call is known as one.
 *
 * @param begun positions for which a call was made before a crash; these go on whatever was cancelled since
 * @returns the links to call for, or null when there is nothing to do now
 * @throws LeaseLost
 */
export async function prepare(
  db: Engine,
  project: ProjectRow,
  step: StepRow,
  members: readonly Member[],
  times: Times,
  begun: ReadonlySet<number>,
): Promise<readonly Member[] | null> {
  const sends = step.action === "send" || step.action === "resend";
  const again = waitsUntil(project, step, members, times.service);
  const isHeld = again !== null && (await balanceOf(db, project.accountId)) < 0;
  if (!sends && !isHeld && !members.some(({ link }) => isCancelled(link))) return members;
  return db.tx(async (tx) => {
    if (isHeld) {
      await updateHeldStep(tx, step, { dueAt: again, lease: null, leaseUntil: null });
      return null;
    }
    // Read again: a cancel may have come since the step was claimed.
    const left = await dropCancelled(tx, project, step, members, times, begun);
    if (left.length === 0) return null;
    const { first, size, members: packed } = packPositions(left.map((member) => member.position));
    await updateHeldStep(tx, step, { first, size, members: packed, intentAt: sends ? times.now : null });
    return left;
  }, txOptions(project));
}

/**
 * Steps of one account change its row and those of their project, and what is decided from other steps is decided in the
 * statement that changes the project's row (`completeIfDecided`).
 */
export function txOptions({ accountId }: ProjectRow): TxOptions {
  return { serializeBy: accountId, isolation: "repeatable read" };
}

/**
 * When a step is looked at again whose account is below zero (docs/rules.md rule 9): what was not sent waits, and so does
 * what was never looked up, until its check has to be over (docs/rules.md rule 7). @returns null for work that goes on
 */
function waitsUntil(project: ProjectRow, step: StepRow, members: readonly Member[], now: number): number | null {
  if (step.action === "send") return retryHeld(now);
  const end = project.createdAt + CHECK_ENDS;
  const isFirst = step.stage === "check" && members.some(({ link }) => link.state === "waiting");
  return isFirst && now < end ? Math.min(retryHeld(now), slot(end)) : null;
}

/** Puts the step back into the queue with the calls made for it, to be resumed after a backoff. @throws LeaseLost */
export async function postpone(db: Engine, step: StepRow, service: number): Promise<void> {
  const tries = step.tries + 1;
  const later = { dueAt: retrySend(service, tries, undefined), tries, lease: null, leaseUntil: null };
  await db.tx((tx) => updateHeldStep(tx, step, later), { isolation: "repeatable read" });
}

async function dropCancelled(
  tx: Tx,
  project: ProjectRow,
  step: StepRow,
  members: readonly Member[],
  times: Times,
  begun: ReadonlySet<number>,
): Promise<Member[]> {
  const { links } = tx.t;
  const ids = members.map(({ link }) => link.id);
  const rows = await tx.q
    .select({ id: links.id, state: links.state, cancelledAt: links.cancelledAt })
    .from(links)
    .where(tx.among(links.id, ids));
  const cancelled = rows.filter((row) => isCancelled(row) && !begun.has(positionOf(row.id)));
  const gone = step.lane === "google" ? cancelled : await goneForSure(tx, project, cancelled);
  const marked = new Set(gone.map((row) => row.id));
  if (marked.size === 0) return [...members];
  const left = members.filter(({ link }) => !marked.has(link.id));
  if (left.length === 0) await removeHeldStep(tx, step);
  if (step.lane !== "google") return left;
  // Those that are not there any more were dropped by a commit whose answer was lost.
  const open = new Set(gone.filter(({ state }) => state === "waiting").map(({ id }) => id));
  const positions = members.filter(({ link }) => open.has(link.id)).map((member) => member.position);
  if (positions.length === 0) return left;
  const move: Move = { positions, from: "waiting", to: "failed", patch: { error: "cancelled" } };
  const description = `${positions.length} links cancelled`;
  // A step may drop links more than once, when its worker died in between; no link is dropped twice.
  const source = `step:${step.id}:cancelled:${positions[0]}`;
  await moveLinks(tx, project, [move], { source, description, now: times.now });
  if (left.length === 0) await completeIfDecided(tx, project, times.service, times.now);
  return left;
}

/**
 * Outside of Google's lane a mark alone means nothing: the link may have been handed over before it came, and goes on
 * then. Where that has not begun, whoever does it will find the mark.
 */
async function goneForSure(tx: Tx, project: ProjectRow, cancelled: readonly Marked[]): Promise<readonly Marked[]> {
  const open = new Set(cancelled.filter(({ state }) => state === "waiting").map(({ id }) => positionOf(id)));
  if (open.size === 0) return cancelled;
  const { steps } = tx.t;
  // Written as they are, so that one which is begun at this very moment is not missed: either of the two is run again.
  const unbegun = await tx.q
    .update(steps)
    .set({ intentAt: null })
    .where(and(eq(steps.projectNo, project.no), eq(steps.lane, "google"), isNull(steps.intentAt)))
    .returning();
  const positions = new Set(unbegun.flatMap(unpackPositions));
  return cancelled.filter(({ id, state }) => state === "failed" || positions.has(positionOf(id)));
}

type Marked = Pick<WorkLink, "id" | "state" | "cancelledAt">;

/** A mark that came too late, when the link was already sent, means nothing. */
function isCancelled({ state, cancelledAt }: Pick<WorkLink, "state" | "cancelledAt">): boolean {
  return cancelledAt !== null && (state === "waiting" || state === "failed");
}
