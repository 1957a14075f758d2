import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id, pathPatterns, sitemapUrl } from "../src/contract/params.ts";
import { presentWatch, Watch } from "../src/contract/shapes/watched-sitemap.ts";
import { changeHook, HOOK_CHANGES } from "../src/domain/watches/hooks.ts";
import { saveWatch } from "../src/domain/watches/save-watch.ts";
import {
  CHANGED_PAGES,
  FIRST_RUNS,
  INTERVALS,
  NEW_PAGES,
  RECHECKS,
  REMOVED_PAGES,
} from "../src/domain/watches/settings.ts";
import { secretBoxOf } from "../src/platform/config/secrets-key.ts";
import { SIZES } from "../src/platform/sizes.ts";

const input = z.object({
  watch_id: id.optional().describe("To change one"),
  sitemap_url: sitemapUrl.optional().describe("For a new one"),
  every: z.enum(INTERVALS).optional().describe("Default: day"),
  new_pages: z.enum(NEW_PAGES).optional().describe("Default: submit"),
  changed_pages: z.enum(CHANGED_PAGES).optional().describe("Default: notify"),
  removed_pages: z.enum(REMOVED_PAGES).optional().describe("Default: ignore"),
  include: pathPatterns.describe("Like robots.txt"),
  exclude: pathPatterns.describe("Pages to leave out"),
  mode: z.enum(["standard", "instant"]).optional().describe("Default: standard"),
  most_per_run: z.number().int().min(1).max(SIZES.urlsPerSubmission).optional().describe("Default: 100"),
  credits_per_month: z.number().int().min(0).max(10_000_000).optional().describe("Default: 1000"),
  recheck: z.enum(RECHECKS).optional().describe("Default: off"),
  stop_when_indexed: z.boolean().optional().describe("Recheck until found"),
  first_run: z.enum(FIRST_RUNS).optional().describe("Default: baseline"),
  status: z.enum(["active", "paused", "stopped"]).optional().describe("New status"),
  hook: z.enum(HOOK_CHANGES).optional().describe("new: an address for a CMS to call when it publishes; off: ends it"),
});

export default defineOperation({
  name: "watch_sitemap",
  title: "Watch a sitemap",
  description: "Reads a sitemap again and again: submits new pages, announces changed ones.",
  access: { kind: "scope", scope: "index", paid: true },
  effect: "change",
  input,
  output: z.object({
    watch: Watch,
    hook_secret: z.string().nullable().describe("Shown once; HOOK_URL/HOOK_SECRET needs no signature"),
  }),
  errors: ["not_found"],
  skill: { tags: ["watch", "sitemap", "indexing"], commands: ["watch sitemap {sitemap_url}"] },
  example: { sitemap_url: "https://example.com/sitemap.xml", every: "day", credits_per_month: 500 },
  rest: { method: "POST", path: "/watches", status: 201 },
  toolset: "watches",
  async run({ watch_id: watchId, sitemap_url: url, ...given }, ctx) {
    const [service, now] = [ctx.clock.service(), ctx.clock.now()];
    const change = {
      ...{ every: given.every, newPages: given.new_pages, changedPages: given.changed_pages },
      ...{ removedPages: given.removed_pages, include: given.include, exclude: given.exclude, mode: given.mode },
      ...{ mostPerRun: given.most_per_run, creditsPerMonth: given.credits_per_month, recheck: given.recheck },
      ...{ stopWhenIndexed: given.stop_when_indexed, firstRun: given.first_run, status: given.status },
    };
    return ctx.commit(async (tx) => {
      const principal = callerOf(ctx);
      const saved = await saveWatch(tx, { principal, watchId, url, change, service, now });
      const box = secretBoxOf(ctx.config);
      const { watch, secret } = given.hook
        ? await changeHook(tx, saved, { change: given.hook, principal, box, now })
        : { watch: saved, secret: null };
      return { watch: presentWatch(watch, service, ctx.config), hook_secret: secret };
    });
  },
});
