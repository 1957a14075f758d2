import { Refusal } from "../../platform/errors/errors.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { type UrlList, UrlListBuilder } from "../../platform/urls/urls.ts";
import { collectSitemap } from "./collect.ts";
import { COLLECT_LIMITS, type Collected, type CollectLimits } from "./collect-context.ts";
import { MemoryBudget } from "./memory-budget.ts";

/** The pages of a sitemap: normalised, without duplicates, in document order. */
export interface SitemapPages extends Collected, UrlList {
  readonly url: string;
  /** Page entries, including invalid and repeated ones. */
  readonly found: number;
}

/** Limits of the pages of one sitemap. */
export interface PageLimits extends CollectLimits {
  readonly urls: number;
  readonly characters: number;
}

export const PAGE_LIMITS: PageLimits = { ...COLLECT_LIMITS, urls: 1_000_000, characters: 100_000_000 };

/** @throws Refusal sitemap_unreachable, sitemap_invalid, unavailable */
export async function readPages(
  http: HttpClient,
  url: string,
  limits: PageLimits = PAGE_LIMITS,
): Promise<SitemapPages> {
  const list = new UrlListBuilder();
  const budget = new MemoryBudget();
  let characters = 0;
  const take = (address: string) => {
    if (list.size === limits.urls || characters > limits.characters) return false;
    if (list.add(address)) {
      characters += address.length;
      budget.take(address);
    }
    return true;
  };
  try {
    const collected = await collectSitemap(http, url, take, limits);
    return { url, ...collected, ...list.list(), found: list.items };
  } finally {
    budget.release();
  }
}

/** The refusal for a sitemap without pages to submit. @param submitted pages that were dropped as already submitted */
export function noPages(pages: SitemapPages, submitted: number): Refusal {
  const { found, accepted, invalid, invalidExamples } = pages;
  const fields = { invalid, invalid_examples: invalidExamples, already_submitted: submitted };
  const why =
    accepted.length > 0
      ? `All ${submitted} URLs of the sitemap were already submitted.`
      : found > 0
        ? `None of the ${found} entries of the sitemap is an absolute http(s) URL.`
        : "The sitemap lists no pages.";
  return new Refusal("no_valid_urls", `${why} Nothing was spent.`, fields);
}
