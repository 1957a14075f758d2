import { z } from "zod";
import type { Submitted } from "../../domain/projects/experiments/create.ts";
import type { SitemapPages } from "../../indexing/sitemap/pages.ts";
import type { Config } from "../../platform/config/config.ts";
import { INVALID_REASONS, type InvalidReason } from "../../platform/urls/urls.ts";
import { Project, presentProject, SubmissionReceipt, spentOn } from "./project.ts";

const count = z.number().int().min(0);

/** Formats of a document that lists pages. */
export const SitemapFormat = z.enum(["urlset", "index", "text", "rss", "atom"]);

/** An entry of a sitemap that is no URL. */
export const InvalidEntry = z.object({
  position: count.describe("Place among the page entries, from 0"),
  length: count.describe("Characters"),
  reason: z.enum(Object.keys(INVALID_REASONS) as [InvalidReason, ...InvalidReason[]]),
});

export const invalidEntries = z.array(InvalidEntry).describe("Up to 10");

/** Which sitemaps of an index could not be read and why, and what else a caller should know before it pays. */
export const sitemapWarnings = z.array(z.string());

/** The answer of a submission by sitemap. */
export const SitemapReceipt = SubmissionReceipt.extend({
  project: Project.nullable().describe("null: nothing new"),
  invalid_examples: invalidEntries,
  sitemap: z.object({
    url: z.string(),
    format: SitemapFormat,
    sitemaps_read: count,
    urls_found: count,
  }),
  warnings: sitemapWarnings,
  already_submitted: count,
  truncated: z.boolean().describe("There are more URLs"),
  urls_remaining: count.describe("URLs over the 10,000 of a project"),
});

/** What was taken of a sitemap's pages. */
export interface TakenPages {
  readonly urls: readonly string[];
  /** How many were left out as submitted before, and how many are left. */
  readonly submitted: number;
  readonly left: number;
}

/** @param made the project and the balance after it; the project is null where there was nothing to submit */
export function presentSitemapReceipt(
  made: Submitted | { readonly project: null; readonly balance: number },
  pages: SitemapPages,
  { urls, submitted, left }: TakenPages,
  config: Config,
): z.output<typeof SitemapReceipt> {
  return {
    project: made.project && presentProject(made.project, config),
    urls_accepted: urls.length,
    invalid: pages.invalid,
    duplicates: pages.duplicates,
    invalid_examples: [...pages.invalidEntries],
    ...(made.project ? spentOn(made) : { credits_spent: 0 }),
    balance: made.balance,
    sitemap: {
      url: pages.url,
      format: pages.format,
      sitemaps_read: pages.sitemapsRead,
      urls_found: pages.found,
    },
    warnings: [...pages.warnings],
    already_submitted: submitted,
    truncated: left > 0 || pages.cutShort,
    urls_remaining: left,
  };
}
