import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../../../db/engine.ts";
import type { NewEvent } from "../../events/types.ts";
import type { ProjectRow } from "../read.ts";
import { points } from "./compare.ts";
import { armsOf, outcomeOf } from "./read.ts";

/**
 * Notes that a project is completed. An experiment is decided when both of its arms are: from then on its held pages may be sent, and
 * an event tells the verdict. Each arm changes the row of the experiment, so that of two which end at the same time the later one
 * sees the other.
 */
export async function completeArm(tx: Tx, project: ProjectRow, service: number): Promise<NewEvent[]> {
  const { experiments, urlSets } = tx.t;
  if (project.experimentId === null) return [];
  const { openArms, decidedAt } = experiments;
  const [row] = await tx.q
    .update(experiments)
    .set({
      openArms: sql`${openArms} - 1`,
      decidedAt: sql`CASE WHEN ${openArms} = 1 THEN ${service} ELSE ${decidedAt} END`,
    })
    .where(eq(experiments.id, project.experimentId))
    .returning();
  if (!row || row.decidedAt === null) return [];
  await tx.q.delete(urlSets).where(eq(urlSets.projectNo, row.controlNo));
  const arms = await armsOf(tx, row);
  const { verdict, difference, low, high } = await outcomeOf(tx, arms);
  const ids = { experiment_id: row.id, project_id: arms.sent.id, control_project_id: arms.held.id };
  const interval = { difference: points(difference), low: points(low), high: points(high) };
  return [{ type: "experiment.decided", projectId: arms.sent.id, data: { ...ids, verdict, ...interval } }];
}
