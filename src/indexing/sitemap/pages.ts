import { Refusal } from "../../platform/errors/errors.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { codePoints } from "../../platform/text.ts";
import { type InvalidReason, invalidReason, type UrlList, UrlListBuilder } from "../../platform/urls/urls.ts";
import { collectSitemap } from "./collect.ts";
import { COLLECT_LIMITS, type Collected, type CollectLimits } from "./collect-context.ts";
import { MemoryBudget } from "./memory-budget.ts";

/** The pages of a sitemap: normalised, without duplicates, in document order. */
export interface SitemapPages extends Collected, Omit<UrlList, "invalidExamples"> {
  readonly url: string;
  /** Up to 10 of the invalid entries. */
  readonly invalidEntries: readonly InvalidEntry[];
  /** Page entries, including invalid and repeated ones. */
  readonly found: number;
}

/** An entry that is no URL. It is described and not quoted, because a stranger wrote it and a model would read it. */
export interface InvalidEntry {
  /** Its place among the page entries, from 0. */
  readonly position: number;
  /** In code points. */
  readonly length: number;
  readonly reason: InvalidReason;
}

const MAX_INVALID_ENTRIES = 10;

/** Limits of the pages of one sitemap. */
export interface PageLimits extends CollectLimits {
  readonly urls: number;
  readonly characters: number;
}

export const PAGE_LIMITS: PageLimits = { ...COLLECT_LIMITS, urls: 1_000_000, characters: 100_000_000 };

/** @throws Refusal sitemap_unreachable, sitemap_invalid, unavailable, also when `signal` is aborted */
export async function readPages(
  { http, signal }: { readonly http: HttpClient; readonly signal?: AbortSignal | undefined },
  url: string,
  limits: PageLimits = PAGE_LIMITS,
): Promise<SitemapPages> {
  const list = new UrlListBuilder();
  const budget = new MemoryBudget();
  const invalidEntries: InvalidEntry[] = [];
  let characters = 0;
  const take = (address: string) => {
    if (list.size === limits.urls || characters > limits.characters) return false;
    const { items: position, invalid } = list;
    if (list.add(address)) {
      characters += address.length;
      budget.take(address);
    } else if (list.invalid > invalid && invalidEntries.length < MAX_INVALID_ENTRIES) {
      invalidEntries.push({ position, length: codePoints(address), reason: invalidReason(address) });
    }
    return true;
  };
  try {
    const collected = await collectSitemap({ http, signal }, url, take, limits);
    const { accepted, duplicates, invalid } = list.list();
    return { url, ...collected, accepted, duplicates, invalid, invalidEntries, found: list.items };
  } finally {
    budget.release();
  }
}

/** The refusal for a sitemap that has no page to submit. */
export function noPages({ found, invalid, invalidEntries }: SitemapPages): Refusal {
  const why =
    found > 0
      ? `None of the ${found} entries of the sitemap is an absolute http(s) URL.`
      : "The sitemap lists no pages.";
  const fields = { invalid, invalid_examples: invalidEntries, already_submitted: 0 };
  return new Refusal("no_valid_urls", `${why} Nothing was spent.`, fields);
}
