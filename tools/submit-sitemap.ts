import { setImmediate as pause } from "node:timers/promises";
import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { dripDays, mode, projectName, sitemapUrl, skipAlreadySubmitted } from "../src/contract/params.ts";
import { presentReceipt, Receipt } from "../src/contract/shapes/project.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { allFresh, notSubmitted, takeFresh } from "../src/domain/projects/submitted.ts";
import { noPages, readPages } from "../src/indexing/sitemap/pages.ts";
import { SIZES } from "../src/platform/limits.ts";

const count = z.number().int().min(0);

export default defineOperation({
  name: "submit_sitemap",
  title: "Submit a sitemap for indexing",
  description:
    "Reads a sitemap and creates an indexing project from its page URLs, as submit_urls does with a list; credits are spent at once. It takes the first 10,000 URLs in document order and says how many remain: call again with skip_already_submitted to submit the rest, until urls_remaining is 0. Use read_sitemap first when unsure of the price, and an idempotency key when retrying. Follow it with get_project and list_links.",
  access: { kind: "scope", scope: "index", paid: true },
  effect: "spend",
  limits: ["sitemap_reads"],
  readsWeb: true,
  input: z.object({
    sitemap_url: sitemapUrl,
    skip_already_submitted: skipAlreadySubmitted,
    mode,
    name: projectName,
    bing: z.boolean().default(true),
    yandex: z.boolean().default(true),
    drip_days: dripDays,
  }),
  output: Receipt.extend({
    sitemap: z.object({
      url: z.string(),
      format: z.enum(["urlset", "index", "text", "rss", "atom"]),
      sitemaps_read: count.describe("Sitemaps that list pages; an index does not count"),
      urls_found: count.describe("Page entries, before duplicates and invalid ones are dropped"),
    }),
    already_submitted: count.describe("URLs left out by skip_already_submitted"),
    truncated: z.boolean().describe("Whether the sitemap has more URLs than were submitted"),
    urls_remaining: count.describe("URLs not submitted, because a project holds 10,000 at most"),
  }),
  errors: ["no_valid_urls", "sitemap_unreachable", "sitemap_invalid"],
  skill: { tags: ["indexing", "sitemap", "seo"], commands: ["submit sitemap {sitemap_url}"] },
  example: { sitemap_url: "https://example.com/sitemap.xml", skip_already_submitted: true },
  rest: { method: "POST", path: "/projects/from-sitemap", status: 201 },
  async run({ sitemap_url, skip_already_submitted: skip, name, mode, bing, yandex, drip_days }, ctx) {
    const accountId = accountOf(ctx);
    const pages = await readPages(ctx.http, sitemap_url);
    // Filtered once outside the transaction, since a million URLs would block every writer, and once more inside it.
    const before = skip ? await notSubmitted(ctx.db, accountId, pages.accepted, pause) : allFresh(pages.accepted);
    const draft = { kind: "index", accountId, mode, name, bing, yandex, dripDays: drip_days } as const;
    const times = { now: ctx.clock.now(), service: ctx.clock.service() };
    return ctx.commit(async (tx) => {
      const { urls, submitted, left } = await takeFresh(tx, accountId, before.urls, {
        skip,
        most: SIZES.urlsPerSubmission,
      });
      if (urls.length === 0) throw noPages(pages, before.submitted + submitted);
      const { preflight } = ctx.config;
      const made = await createProject(tx, { ...draft, ...times, urls, preflight, sitemapUrl: sitemap_url });
      return {
        ...presentReceipt(made, { ...pages, accepted: urls }, ctx.config),
        sitemap: {
          url: sitemap_url,
          format: pages.format,
          sitemaps_read: pages.sitemapsRead,
          urls_found: pages.found,
        },
        already_submitted: before.submitted + submitted,
        truncated: left > 0 || pages.cutShort,
        urls_remaining: left,
      };
    });
  },
});
