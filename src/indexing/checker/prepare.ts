import { and, eq, isNull } from "drizzle-orm";
import type { Engine, Tx, TxOptions, WorkLink } from "../../../db/engine.ts";
import { mayNotSend } from "../../domain/ledger/disabled.ts";
import type { Move } from "../../domain/projects/move.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import { settleLinks } from "../../domain/projects/settle.ts";
import type { Times } from "../../platform/clock.ts";
import { positionOf } from "../../platform/ids.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import { removeHeldStep, updateHeldStep } from "./lease.ts";
import type { Member } from "./members.ts";
import { CHECK_ENDS, retryHeld, retrySend, slot } from "./schedule.ts";

/**
 * Prepares a step just before its upstream is called. It drops the links that were cancelled. While the account's balance is negative
 * or the account is disabled, it postpones the step. Else it stores `intentAt`, by which a crash during the call is recognised.
 *
 * @param begun positions for which a call was made before a crash; they are kept even if they were cancelled since
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
  const retryAt = waitsUntil(project, step, members, times.service);
  const isHeld = retryAt !== null && (await mayNotSend(db, project.accountId));
  if (!sends && !isHeld && !members.some(({ link }) => isCancelled(link))) return members;
  return db.tx(async (tx) => {
    if (isHeld) {
      await updateHeldStep(tx, step, { dueAt: retryAt, lease: null, leaseUntil: null });
      return null;
    }
    // Links may have been cancelled since the step was claimed.
    const left = await dropCancelled(tx, project, step, members, times, begun);
    if (left.length === 0) return null;
    const { first, size, members: packed } = packPositions(left.map((member) => member.position));
    await updateHeldStep(tx, step, { first, size, members: packed, intentAt: sends ? times.now : null });
    return left;
  }, txOptions(project));
}

/**
 * REPEATABLE READ is enough. Steps of one account change the rows of the account and the project, and the statement
 * that changes the project's row (`settleLinks`) decides everything that depends on other steps.
 */
export function txOptions({ accountId }: ProjectRow): TxOptions {
  return { serializeBy: accountId, isolation: "repeatable read" };
}

/**
 * When to retry a step whose account has a negative balance (docs/rules.md rule 9), or is disabled. Links that were not sent wait.
 * Links that were never checked wait too, until their check has to end (docs/rules.md rule 7). @returns null if the
 * step goes on
 */
function waitsUntil(project: ProjectRow, step: StepRow, members: readonly Member[], now: number): number | null {
  if (step.action === "send" || step.stage === "before_sending") return retryHeld(now);
  const end = project.createdAt + CHECK_ENDS;
  const isFirst = step.stage === "check" && members.some(({ link }) => link.state === "waiting");
  return isFirst && now < end ? Math.min(retryHeld(now), slot(end)) : null;
}

/** Returns the step to the queue, with its calls, to be resumed after a backoff. @throws LeaseLost */
export async function postpone(db: Engine, step: StepRow, service: number): Promise<void> {
  const tries = step.tries + 1;
  const later = { dueAt: retrySend(service, tries, undefined), tries, lease: null, leaseUntil: null };
  await db.tx((tx) => updateHeldStep(tx, step, later), {
    isolation: "repeatable read",
  });
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
  const dropped = step.lane === "google" ? cancelled : await certainlyNotSent(tx, project, cancelled);
  const droppedIds = new Set(dropped.map((row) => row.id));
  if (droppedIds.size === 0) return [...members];
  const left = members.filter(({ link }) => !droppedIds.has(link.id));
  if (left.length === 0) await removeHeldStep(tx, step);
  if (step.lane !== "google") return left;
  // Links that are no longer waiting were dropped by an earlier commit whose answer was lost.
  const open = new Set(dropped.filter(({ state }) => state === "waiting").map(({ id }) => id));
  const positions = members.filter(({ link }) => open.has(link.id)).map((member) => member.position);
  if (positions.length === 0) return left;
  const move: Move = { positions, from: "waiting", to: "failed", patch: { error: "cancelled" } };
  // A step whose worker died may drop links several times. The first position keeps the source unique.
  const source = `step:${step.id}:cancelled:${positions[0]}`;
  await settleLinks(tx, project, [move], { source, times, mayComplete: left.length === 0 });
  return left;
}

/**
 * The cancelled links that are certain not to be sent to Google. Only Google's lane decides whether a link was
 * cancelled in time: a link that was already sent to Google goes on in the other lanes too. If Google's step has not
 * begun, it will find the cancellation itself.
 */
async function certainlyNotSent(
  tx: Tx,
  project: ProjectRow,
  cancelled: readonly CancelledLink[],
): Promise<readonly CancelledLink[]> {
  const open = new Set(cancelled.filter(({ state }) => state === "waiting").map(({ id }) => positionOf(id)));
  if (open.size === 0) return cancelled;
  const { steps } = tx.t;
  // The update changes nothing. It makes this transaction conflict with one that begins such a step at the same time.
  const unbegun = await tx.q
    .update(steps)
    .set({ intentAt: null })
    .where(and(eq(steps.projectNo, project.no), eq(steps.lane, "google"), isNull(steps.intentAt)))
    .returning();
  const positions = new Set(unbegun.flatMap(unpackPositions));
  return cancelled.filter(({ id, state }) => state === "failed" || positions.has(positionOf(id)));
}

type CancelledLink = Pick<WorkLink, "id" | "state" | "cancelledAt">;

/** A cancellation that came after the link was sent has no effect. */
function isCancelled({ state, cancelledAt }: Pick<WorkLink, "state" | "cancelledAt">): boolean {
  return cancelledAt !== null && (state === "waiting" || state === "failed");
}
