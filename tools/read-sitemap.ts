import { setImmediate as pause } from "node:timers/promises";
import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { sitemapUrl, skipAlreadySubmitted } from "../src/contract/params.ts";
import { invalidEntries, SitemapFormat, sitemapWarnings } from "../src/contract/shapes/sitemap.ts";
import { costOf } from "../src/domain/ledger/costs.ts";
import { allFresh, notSubmitted } from "../src/domain/projects/submitted.ts";
import { readPages } from "../src/indexing/sitemap/pages.ts";
import { SIZES } from "../src/platform/sizes.ts";

const count = z.number().int().min(0);

export default defineOperation({
  name: "read_sitemap",
  title: "Read a sitemap",
  description:
    "Says how many pages a sitemap has and lists their URLs in document order, spending nothing; an index is followed one level deep. It tells what submit_sitemap would cost and, with skip_already_submitted, which URLs are new. At most 20 sitemaps are read in 10 minutes.",
  access: { kind: "scope", scope: "index" },
  effect: "read",
  limits: ["sitemap_reads"],
  readsWeb: true,
  agentDefaults: { limit: 50 },
  input: z.object({
    sitemap_url: sitemapUrl,
    skip_already_submitted: skipAlreadySubmitted,
    limit: count.max(SIZES.urlsPerSubmission).default(SIZES.urlsPerSubmission).describe("URLs listed; 0 counts only"),
    offset: count.max(SIZES.sitemapOffset).default(0).describe("Number of URLs to skip"),
  }),
  output: z.object({
    sitemap_url: z.string(),
    format: SitemapFormat,
    sitemaps_read: count,
    sitemaps_failed: count.describe("Could not be read; warnings say why"),
    urls_found: count,
    urls: z.array(z.string()),
    duplicates: count,
    invalid: count,
    modified: z.object({ dated: count, last_day: count, last_week: count, last_30_days: count }),
    invalid_examples: invalidEntries,
    already_submitted: count,
    truncated: z.boolean().describe("There are more URLs"),
    urls_remaining: count,
    credits: z.object({ standard: count, instant: count }).describe("Credits that submit_sitemap would spend"),
    warnings: sitemapWarnings,
  }),
  errors: ["sitemap_unreachable", "sitemap_invalid"],
  skill: { tags: ["sitemap"], commands: ["read sitemap {sitemap_url}"] },
  example: { sitemap_url: "https://example.com/sitemap.xml" },
  rest: { method: "POST", path: "/sitemaps/read" },
  toolset: "jobs",
  async run({ sitemap_url, skip_already_submitted, limit, offset }, ctx) {
    const pages = await readPages({ ...ctx, now: ctx.clock.service() }, sitemap_url);
    const { dated, lastDay: last_day, lastWeek: last_week, last30Days: last_30_days } = pages.modified;
    const { urls: all, submitted } = skip_already_submitted
      ? await notSubmitted(ctx.db, accountOf(ctx), pages.accepted, pause)
      : allFresh(pages.accepted);
    const urls = all.slice(offset, offset + limit);
    const remaining = Math.max(0, all.length - offset - urls.length);
    const submittable = Math.min(all.length, SIZES.urlsPerSubmission);
    return {
      sitemap_url,
      format: pages.format,
      sitemaps_read: pages.sitemapsRead,
      sitemaps_failed: pages.sitemapsFailed,
      urls_found: pages.found,
      urls,
      duplicates: pages.duplicates,
      invalid: pages.invalid,
      modified: { dated, last_day, last_week, last_30_days },
      invalid_examples: [...pages.invalidEntries],
      already_submitted: submitted,
      truncated: remaining > 0 || pages.cutShort,
      urls_remaining: remaining,
      credits: { standard: costOf("standard", submittable), instant: costOf("instant", submittable) },
      warnings: [...pages.warnings],
    };
  },
});
