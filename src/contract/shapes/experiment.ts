import { z } from "zod";
import type { Reader } from "../../../db/engine.ts";
import { type Arm, points, VERDICTS } from "../../domain/projects/experiments/compare.ts";
import { type Arms, type ExperimentRow, outcomeOf, sentElsewhere } from "../../domain/projects/experiments/read.ts";
import { iso } from "../../platform/clock.ts";

const count = z.number().int().min(0);
const share = z.number().nullable();

const ArmCounts = z.object({
  n: count,
  found: count.nullable(),
  not_found: count.nullable(),
  unknown: count.nullable().describe("Refused, cancelled or not looked up with certainty; in neither share"),
  sent_elsewhere: count.describe("Sent by another project meanwhile"),
});

export const Experiment = z
  .object({
    object: z.literal("experiment"),
    id: z.string(),
    project_id: z.string(),
    control_project_id: z.string(),
    seed: z.string().describe("By which the held pages were chosen"),
    sent: ArmCounts,
    held: ArmCounts,
    difference: share.describe("Percentage points: share found of the sent less the held"),
    low: share.describe("95 % interval (Newcombe)"),
    high: share,
    p: share.describe("Fisher's, where a count is below 5"),
    smallest_lift_seen: share.describe("Points that this size shows in 4 of 5 cases"),
    verdict: z.enum(VERDICTS).nullable(),
    as_of: z.string().nullable().describe("When both were decided; null: not yet"),
  })
  .meta({ id: "Experiment" });

/** Says nothing of what was found before both arms are completed. */
export async function presentExperiment(
  db: Reader,
  experiment: ExperimentRow,
  arms: Arms,
): Promise<z.output<typeof Experiment>> {
  const { id, seed, decidedAt } = experiment;
  const outcome = decidedAt === null ? null : await outcomeOf(db, arms);
  const elsewhere = await sentElsewhere(db, experiment, arms);
  const counts = (which: keyof Arms) => ({
    ...countsOf(outcome?.[which] ?? null, arms[which].total),
    sent_elsewhere: elsewhere[which],
  });
  return {
    object: "experiment",
    id,
    project_id: arms.sent.id,
    control_project_id: arms.held.id,
    seed,
    sent: counts("sent"),
    held: counts("held"),
    difference: points(outcome?.difference ?? null),
    low: points(outcome?.low ?? null),
    high: points(outcome?.high ?? null),
    p: outcome && outcome.p !== null ? Math.round(10_000 * outcome.p) / 10_000 : null,
    smallest_lift_seen: points(outcome?.smallestLift ?? null),
    verdict: outcome?.verdict ?? null,
    as_of: iso(decidedAt),
  };
}

function countsOf(arm: Arm | null, n: number) {
  if (arm === null) return { n, found: null, not_found: null, unknown: null };
  const { found, notFound } = arm;
  return { n, found, not_found: notFound, unknown: n - found - notFound };
}
