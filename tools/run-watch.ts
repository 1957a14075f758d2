import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { watchId } from "../src/contract/params.ts";
import { presentRun, WatchRun } from "../src/contract/shapes/watched-sitemap.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { beginReading } from "../src/domain/watches/readings.ts";
import { makerToRunAs, retryIfLost, watchToRun } from "../src/domain/watches/run-by-call.ts";
import { commitRun, prepareRun, previewRun } from "../src/indexing/watches/run-watch.ts";

export default defineOperation({
  name: "run_watch",
  title: "Run a watch now",
  description:
    "Reads the sitemap of a watch at once, such as after a deployment, and submits what is new, within the limits of the watch and as the credential that made it. With dry_run it only tells what it would do and spend. release continues a run that was held, for whoever may change the watch. Call it again with the same idempotency key when unsure whether it was done.",
  access: { kind: "scope", scope: "index", paid: true },
  effect: "spend",
  limits: ["watch_runs"],
  spendsWhatItMay: true,
  readsWeb: true,
  input: z.object({
    watch_id: watchId,
    dry_run: z.boolean().default(false).describe("Change and spend nothing"),
    release: z.boolean().default(false).describe("Accept what has held the last run"),
  }),
  output: z.object({ run: WatchRun }),
  errors: ["sitemap_unreachable", "sitemap_invalid"],
  skill: { tags: ["watch", "sitemap", "deployment"], commands: ["run watch {watch_id}"] },
  example: { watch_id: "wat_0123456789abcdefghjk", dry_run: true },
  rest: { method: "POST", path: "/watches/{watch_id}/run" },
  toolset: "watches",
  async run({ watch_id, dry_run: isDry, release: isReleased }, ctx) {
    const caller = callerOf(ctx);
    const watch = await watchToRun(ctx.db, caller, { watchId: watch_id, isDry, isReleased });
    const principal = await makerToRunAs(ctx.db, watch, ctx.clock.now());
    const agreed = ctx.spender?.agreed;
    await beginReading(ctx.db, watch, ctx.clock.service());
    const accepted = isReleased ? (agreed ? agreed.held : watch.heldDigest) : null;
    const prepared = await prepareRun(ctx, watch, { accepted, isWhole: isDry, signal: ctx.signal });
    const times = { now: ctx.clock.now(), service: ctx.clock.service() };
    const { preflight } = ctx.config;
    return retryIfLost(() =>
      ctx.commit(async (tx) => {
        if (isDry) {
          const balance = await balanceOf(tx, caller.accountId);
          return { run: presentRun(watch, await previewRun(tx, prepared, { ...times, balance })) };
        }
        const { run } = await commitRun(tx, prepared, { principal, agreed, preflight, times });
        return { run: presentRun(watch, run) };
      }),
    );
  },
});
