import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { watchId } from "../src/contract/params.ts";
import { presentRunRow, presentWatch, Watch, WatchRun } from "../src/contract/shapes/watched-sitemap.ts";
import { type RunRow, runsOf } from "../src/domain/watches/runs.ts";
import { findWatch } from "../src/domain/watches/watches.ts";

const RUNS = 20;

export default defineOperation({
  name: "get_watch",
  title: "Read a watch",
  description:
    "Returns one watch with its newest 20 runs: how the sitemap differed from what was known, what was submitted and spent, and why a run was held or failed.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ watch_id: watchId }),
  output: z.object({ watch: Watch, runs: z.array(WatchRun).max(RUNS).describe("Newest first") }),
  skill: { tags: ["watch", "sitemap"], commands: ["get watch {watch_id}"] },
  example: { watch_id: "wat_0123456789abcdefghjk" },
  rest: { method: "GET", path: "/watches/{watch_id}" },
  toolset: "watches",
  async run({ watch_id }, ctx) {
    const watch = await findWatch(ctx.db, accountOf(ctx), watch_id);
    // The examples of older runs would fill what a model reads.
    const present = (run: RunRow, at: number) => presentRunRow(watch, at === 0 ? run : { ...run, examples: null });
    const runs = await runsOf(ctx.db, watch, RUNS);
    return { watch: presentWatch(watch, ctx.clock.service(), ctx.config), runs: runs.map(present) };
  },
});
