import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id } from "../src/contract/params.ts";
import { Experiment, presentExperiment } from "../src/contract/shapes/experiment.ts";
import { findExperiment } from "../src/domain/projects/experiments/read.ts";
import { CHECK_DAYS } from "../src/platform/check-days.ts";

export default defineOperation({
  name: "get_experiment",
  title: "Say whether sending has helped",
  description: `Says whether sending has made a difference: of a submission with holdout_percent, it compares the URLs that were sent with the control that was held out. Counts and verdict are null until both had their check of day ${CHECK_DAYS.final}.`,
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ experiment_id: id.describe("exp_…") }),
  output: Experiment,
  skill: { tags: ["projects", "experiment", "evidence"], commands: ["experiment {experiment_id}"] },
  example: { experiment_id: "exp_0123456789abcdefghjk" },
  rest: { method: "GET", path: "/experiments/{experiment_id}" },
  toolset: "results",
  async run({ experiment_id }, ctx) {
    const { experiment, arms } = await findExperiment(ctx.db, accountOf(ctx), experiment_id);
    return presentExperiment(ctx.db, experiment, arms);
  },
});
