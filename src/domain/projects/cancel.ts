import { and, asc, eq, gte, lte } from "drizzle-orm";
import type { StepRow, Tx } from "../../../db/engine.ts";
import { linkKey, positionOf } from "../../platform/ids.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import type { ProjectRow } from "./read.ts";
import { completeIfDecided, moveLinks } from "./settle.ts";

/**
 * Cancels unsent links: those named, or all. A link inside a step that a worker holds is only marked; the
 * worker drops it before its call and gives the credits back then. Links already sent are left alone.
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
  const hitBy = (step: StepRow, wanted: ReadonlySet<number>) =>
    unpackPositions(step).filter((position) => wanted.has(position));
  const lives = steps.filter((step) => step.lane === "google");
  const marked = lives.filter((step) => isHeld(step, times.now)).flatMap((step) => hitBy(step, waiting));
  const gone = lives.filter((step) => !isHeld(step, times.now)).flatMap((step) => hitBy(step, waiting));
  // The other lanes drop only what is really cancelled: a link that is only marked may go on.
  const dropped = new Set(gone);
  const emptied: number[] = [];
  for (const step of steps) {
    if (isHeld(step, times.now)) continue;
    const left = unpackPositions(step).filter((position) => !dropped.has(position));
    if (left.length === 0) emptied.push(step.id);
    else if (left.length < step.size) await shrink(tx, step, left);
  }
  if (emptied.length > 0) await tx.q.delete(tx.t.steps).where(tx.among(tx.t.steps.id, emptied));
  if (marked.length > 0) {
    const ids = marked.map((position) => linkKey(project.no, position));
    await tx.moveLinks({ ids, from: "waiting", patch: { cancelledAt: times.service } });
  }
  // Each link leaves its life lane once, so the first position cancelled identifies this cancel.
  const returned = await moveLinks(
    tx,
    project,
    [{ positions: gone, from: "waiting", to: "failed", patch: { error: "cancelled", cancelledAt: times.service } }],
    { source: `${project.id}:cancel:${gone[0]}`, description: `${gone.length} links cancelled`, now: times.now },
  );
  const atCompletion = await completeIfDecided(tx, project, times.service, times.now);
  return { cancelled: gone.length, returned: returned + atCompletion };
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

/** Held: a worker may be about to call, or has called and not told yet. */
function isHeld(step: StepRow, now: number): boolean {
  return step.intentAt !== null || (step.leaseUntil !== null && step.leaseUntil > now);
}

/** Also takes an expired lease away, so that a worker that wakes up late finds it gone. */
async function shrink(tx: Tx, step: StepRow, left: number[]): Promise<void> {
  const { first, size, members } = packPositions(left);
  await tx.q
    .update(tx.t.steps)
    .set({ first, size, members, lease: null, leaseUntil: null })
    .where(eq(tx.t.steps.id, step.id));
}
