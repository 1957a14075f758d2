import { and, asc, eq, gte, lte } from "drizzle-orm";
import type { StepRow, Tx } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import type { ProjectRow } from "./read.ts";
import { settleLinks } from "./settle.ts";

/**
 * Cancels unsent links: the given ones, or all. A link in a step that a worker has claimed is only marked; the worker drops
 * it before its call and returns the credits then. Links already sent are not changed.
 *
 * @param positions positions in the project, or null for every unsent link
 * @param times `service` for the project, `now` (real) for leases and the ledger
 */
export async function cancelLinks(
  tx: Tx,
  project: ProjectRow,
  positions: readonly number[] | null,
  times: { service: number; now: number },
): Promise<{ cancelled: number; returned: number }> {
  const waiting = await waitingPositions(tx, project, positions);
  if (waiting.size === 0) return { cancelled: 0, returned: 0 };

  const steps = await tx.q.select().from(tx.t.steps).where(eq(tx.t.steps.projectNo, project.no));
  const waitingIn = (step: StepRow) => unpackPositions(step).filter((position) => waiting.has(position));
  const googleSteps = steps.filter((step) => step.lane === "google");
  const marked = googleSteps.filter((step) => isClaimed(step, times.now)).flatMap(waitingIn);
  const cancelled = googleSteps.filter((step) => !isClaimed(step, times.now)).flatMap(waitingIn);
  // Other lanes drop only links that are cancelled now: a marked link may still be sent.
  const dropped = new Set(cancelled);
  const emptied: number[] = [];
  for (const step of steps) {
    if (isClaimed(step, times.now)) continue;
    const left = unpackPositions(step).filter((position) => !dropped.has(position));
    if (left.length === 0) emptied.push(step.id);
    else if (left.length < step.size) await shrink(tx, step, left);
  }
  if (emptied.length > 0) await tx.q.delete(tx.t.steps).where(tx.among(tx.t.steps.id, emptied));
  if (marked.length > 0) {
    const ids = marked.map((position) => linkKey(project.no, position));
    await tx.moveLinks({ ids, from: "waiting", patch: { cancelledAt: times.service } });
  }
  // A link leaves the Google lane once, so the first cancelled position identifies this cancellation.
  const returned = await settleLinks(
    tx,
    project,
    [
      {
        positions: cancelled,
        from: "waiting",
        to: "failed",
        patch: { error: "cancelled", cancelledAt: times.service },
      },
    ],
    { source: `${project.id}:cancel:${cancelled[0]}`, times, mayComplete: true },
  );
  return { cancelled: cancelled.length, returned };
}

async function waitingPositions(
  tx: Tx,
  project: ProjectRow,
  positions: readonly number[] | null,
): Promise<Set<number>> {
  const { links } = tx.t;
  const rows = await tx.q
    .select({ id: links.id })
    .from(links)
    .where(
      and(
        positions
          ? tx.among(
              links.id,
              positions.map((position) => linkKey(project.no, position)),
            )
          : and(gte(links.id, linkKey(project.no, 0)), lte(links.id, linkKey(project.no, project.total - 1))),
        eq(links.state, "waiting"),
      ),
    )
    .orderBy(asc(links.id));
  return new Set(rows.map((row) => positionOf(row.id)));
}

/** Whether a worker may be about to call a provider, or has called one and not recorded the result. */
function isClaimed(step: StepRow, now: number): boolean {
  return step.intentAt !== null || (step.leaseUntil !== null && step.leaseUntil > now);
}

/** Removes links from a step, and an expired lease, so that a worker that resumes late notices that it lost it. */
async function shrink(tx: Tx, step: StepRow, left: number[]): Promise<void> {
  const { first, size, members } = packPositions(left);
  await tx.q
    .update(tx.t.steps)
    .set({ first, size, members, lease: null, leaseUntil: null })
    .where(eq(tx.t.steps.id, step.id));
}
