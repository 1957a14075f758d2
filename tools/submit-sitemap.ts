import { setImmediate as pause } from "node:timers/promises";
import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import {
  bing,
  dripDays,
  holdoutPercent,
  mode,
  projectName,
  sitemapUrl,
  skipAlreadySubmitted,
  skipIndexed,
  yandex,
} from "../src/contract/params.ts";
import { presentSitemapReceipt, SitemapReceipt } from "../src/contract/shapes/sitemap.ts";
import { submit } from "../src/contract/submit.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { allFresh, notSubmitted, takeFresh } from "../src/domain/projects/submitted.ts";
import { noPages, readPages, refuseSitemapsAsPages } from "../src/indexing/sitemap/pages.ts";
import { SIZES } from "../src/platform/sizes.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";

export default defineOperation({
  name: "submit_sitemap",
  title: "Submit a sitemap for indexing",
  description:
    "Submits the page URLs of a sitemap as submit_urls does. It takes the first 10,000; call again with skip_already_submitted until urls_remaining is 0. read_sitemap tells the price; send an idempotency key when retrying.",
  access: { kind: "scope", scope: "index", paid: true },
  effect: "spend",
  limits: ["sitemap_reads"],
  readsWeb: true,
  input: z.object({
    sitemap_url: sitemapUrl,
    skip_already_submitted: skipAlreadySubmitted,
    mode,
    name: projectName,
    bing,
    yandex,
    drip_days: dripDays,
    skip_indexed: skipIndexed,
    holdout_percent: holdoutPercent,
  }),
  output: SitemapReceipt,
  errors: ["no_valid_urls", "holdout_not_possible", "sitemap_unreachable", "sitemap_invalid"],
  skill: { tags: ["indexing", "sitemap", "seo"], commands: ["submit sitemap {sitemap_url}"] },
  example: { sitemap_url: "https://example.com/sitemap.xml", skip_already_submitted: true },
  rest: { method: "POST", path: "/projects/from-sitemap", status: 201 },
  toolset: "jobs",
  hadNothingToDo: ({ project }) => project === null,
  async run(input, ctx) {
    const { sitemap_url, skip_already_submitted: skip, name, mode, bing, yandex, drip_days } = input;
    const accountId = accountOf(ctx);
    const pages = await readPages(ctx, sitemap_url);
    refuseSitemapsAsPages(pages);
    // Filtered once outside the transaction, since a million URLs would block every writer, and once more inside it.
    const before = skip ? await notSubmitted(ctx.db, accountId, pages.accepted, pause) : allFresh(pages.accepted);
    return ctx.commit(async (tx) => {
      if (pages.accepted.length === 0) throw noPages(pages);
      const most = SIZES.urlsPerSubmission;
      const { urls, submitted, left } = await takeFresh(tx, accountId, before.urls, { skip, most });
      const how = { dripDays: drip_days, skipIndexed: input.skip_indexed, holdoutPercent: input.holdout_percent };
      const request = { mode, name, bing, yandex, ...how, sitemapUrl: sitemap_url };
      const made =
        urls.length === 0
          ? { project: null, balance: await balanceOf(tx, accountId) }
          : await submit(tx, ctx, { ...request, urls: packUrls(urls) });
      return presentSitemapReceipt(made, pages, { urls, submitted: before.submitted + submitted, left }, ctx.config);
    });
  },
});
