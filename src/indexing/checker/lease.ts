import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { StepRow } from "../../domain/projects/read.ts";

/** The step belongs to another worker now, or is gone. Nothing may be written for it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor(step: StepRow) {
    super(`step ${step.id}`);
  }
}

/** Changes a step that this claim holds. @throws LeaseLost */
export async function updateHeldStep(tx: Tx, step: StepRow, set: Partial<StepRow>): Promise<void> {
  const { steps } = tx.t;
  const changed = await tx.q
    .update(steps)
    .set(set)
    .where(and(eq(steps.id, step.id), eq(steps.lease, step.lease!)))
    .returning({ id: steps.id });
  if (changed.length === 0) throw new LeaseLost(step);
}

/** Removes a step that this claim holds from the queue, together with its calls. @throws LeaseLost */
export async function removeHeldStep(tx: Tx, step: StepRow): Promise<void> {
  const { calls } = tx.t;
  if (step.action === "send" || step.action === "resend") await tx.q.delete(calls).where(eq(calls.stepId, step.id));
  const removed = await removal(tx).execute({ id: step.id, lease: step.lease });
  if (removed.length === 0) throw new LeaseLost(step);
}

const removal = (tx: Tx) =>
  tx.prepared("take_step", ({ q, t: { steps } }) =>
    q
      .delete(steps)
      .where(and(eq(steps.id, sql.placeholder("id")), eq(steps.lease, sql.placeholder("lease"))))
      .returning({ id: steps.id }),
  );
