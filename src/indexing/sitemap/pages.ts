import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";
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
  /** How many of the pages are addresses of XML files: sitemaps, as an index lists them, and no pages. */
  readonly sitemapAddresses: number;
  /** What a caller should know before it pays: sitemaps that could not be read, and pages that are none. */
  readonly warnings: readonly string[];
  readonly modified: Readonly<Modified>;
  /** Page entries, including invalid and repeated ones. */
  readonly found: number;
}

/** How many pages say when they were last modified, and how many were within some days before now. */
export interface Modified {
  dated: number;
  lastDay: number;
  lastWeek: number;
  last30Days: number;
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

interface ReadingOptions {
  readonly http: HttpClient;
  readonly signal?: AbortSignal | undefined;
  /** Before which `modified` counts; absent: nothing is counted. */
  readonly now?: number;
}

/** @throws Refusal sitemap_unreachable, sitemap_invalid, unavailable, also when `signal` is aborted */
export async function readPages(
  { http, signal, now }: ReadingOptions,
  url: string,
  limits: PageLimits = PAGE_LIMITS,
): Promise<SitemapPages> {
  const list = new UrlListBuilder();
  const budget = new MemoryBudget();
  const invalidEntries: InvalidEntry[] = [];
  let characters = 0;
  let sitemapAddresses = 0;
  const modified: Modified = { dated: 0, lastDay: 0, lastWeek: 0, last30Days: 0 };
  const take = (address: string, at: number | null, problem?: InvalidReason) => {
    if (list.size === limits.urls || characters > limits.characters) return false;
    const { items: position, invalid } = list;
    if (problem) list.refuse(address);
    else if (list.add(address)) {
      characters += address.length;
      budget.take(address);
      if (at !== null && now !== undefined) countIn(modified, now - 1_000 * at);
      if (isSitemapAddress(address)) sitemapAddresses += 1;
    }
    if (list.invalid > invalid && invalidEntries.length < MAX_INVALID_ENTRIES)
      invalidEntries.push({ position, length: codePoints(address), reason: problem ?? invalidReason(address) });
    return true;
  };
  try {
    const collected = await collectSitemap(
      { http, signal, ...(now === undefined ? {} : { dated: DATED }) },
      url,
      take,
      limits,
    );
    const { accepted, duplicates, invalid } = list.list();
    const warnings = warningsOf(collected, sitemapAddresses);
    const counts = { duplicates, invalid, invalidEntries, found: list.items, sitemapAddresses, warnings, modified };
    return { url, ...collected, accepted, ...counts };
  } finally {
    budget.release();
  }
}

/** Dates are read, and nothing is asked by them. */
const DATED = { headersOf: () => ({}), onOpened: () => undefined };

/** @param age in ms */
function countIn(modified: Modified, age: number): void {
  modified.dated += 1;
  if (age <= DAY) modified.lastDay += 1;
  if (age <= 7 * DAY) modified.lastWeek += 1;
  if (age <= 30 * DAY) modified.last30Days += 1;
}

/** Most addresses are decided by the first of the two, which is much quicker. */
function isSitemapAddress(address: string): boolean {
  return /\.xml/i.test(address) && /^[^?#]*[^/?#]\.xml(?:\.gz)?(?:[?#]|$)/i.test(address);
}

function warningsOf({ failedSitemaps, sitemapsFailed }: Collected, sitemapAddresses: number): string[] {
  const more = sitemapsFailed - failedSitemaps.length;
  const warnings = failedSitemaps.map(({ words }) => words);
  if (more > 0) warnings.push(`${formatNumber(more)} more entries of the index could not be read.`);
  if (sitemapAddresses > 0)
    warnings.push(`${formatNumber(sitemapAddresses)} of the URLs end in .xml, as sitemaps do. ${ONE_BY_ONE}`);
  return warnings;
}

const ONE_BY_ONE = "A sitemap is read by its own address; as a page it costs credits for nothing.";

/** @throws Refusal sitemap_invalid if most of its pages are sitemaps, which nobody wants to pay for */
export function refuseSitemapsAsPages({ sitemapAddresses, accepted }: SitemapPages): void {
  if (sitemapAddresses * 2 <= accepted.length) return;
  const message = `Most URLs of the sitemap end in .xml, as sitemaps do. ${ONE_BY_ONE} If they are pages, use submit_urls. Nothing was spent.`;
  throw new Refusal("sitemap_invalid", message, { reason: "lists_sitemaps" });
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
