import type { ListFormat } from "../../platform/lists/format.ts";
import { SITEMAP_LIMITS, type SitemapLimits } from "../../platform/lists/limits.ts";
import { Slices } from "../../platform/slices.ts";
import type { InvalidReason } from "../../platform/urls/urls.ts";
import type { ByteBudget, SitemapDocument } from "./document.ts";
import type { Prefetch } from "./downloads.ts";
import type { FailedSitemap } from "./failed-sitemap.ts";
import type { OpenedSitemap } from "./fetch.ts";

/** Limits of reading a sitemap and all documents that it lists. */
export interface CollectLimits {
  readonly document: SitemapLimits;
  /** Time limit for one document, and for all of them, in ms. */
  readonly documentMs: number;
  readonly totalMs: number;
  /** Most bytes of all documents, decompressed. */
  readonly totalBytes: number;
  /** The shortest pause, in ms, before a document is requested again that its server was too busy to send. */
  readonly leastPauseMs: number;
  /** Most sitemaps of an index that are read. */
  readonly children: number;
  /** How the sitemaps of an index are fetched before they are read. */
  readonly prefetch: Prefetch;
}

export const COLLECT_LIMITS: CollectLimits = {
  document: SITEMAP_LIMITS,
  documentMs: 60_000,
  totalMs: 120_000,
  leastPauseMs: 1_000,
  totalBytes: 200 * 1024 * 1024,
  children: 500,
  prefetch: { concurrency: 4, bufferBytes: 8 * 1024 * 1024 },
};

export interface Collected {
  readonly format: ListFormat;
  /** Documents with pages that were read, not counting the index. */
  readonly sitemapsRead: number;
  /** Sitemaps that the index lists and that could not be read. */
  readonly sitemapsFailed: number;
  /** The first of them. */
  readonly failedSitemaps: readonly FailedSitemap[];
  /** Whether a limit, or `onEntry`, ended the reading early. */
  readonly cutShort: boolean;
  /** Whether a time limit ended it. */
  readonly timedOut: boolean;
}

/** Shared by the functions that read a sitemap and the sitemaps that it lists. */
export interface CollectContext {
  open(url: string): Promise<OpenedSitemap>;
  /**
   * Called with each address, with the time of its last modification if `isDated`, and with the reason why it is no URL if
   * its document shows one. @returns whether to go on
   */
  onEntry(address: string, modified: number | null, problem?: InvalidReason): boolean;
  readonly isDated: boolean;
  readonly limits: CollectLimits;
  readonly byteBudget: ByteBudget;
  /** Aborted when `totalMs` is over. */
  readonly end: AbortSignal;
  isOver(): boolean;
}

/** Passes entries to `onEntry` until it returns false. @returns whether all were passed on */
export async function passOn(
  { onEntry, isOver }: CollectContext,
  { addresses, modified, problems }: SitemapDocument,
): Promise<boolean> {
  const slices = new Slices();
  for (let index = 0; index < addresses.length; index++) {
    if (!onEntry(addresses[index]!, modified[index] ?? null, problems.get(index))) return false;
    if (index % 64 !== 63 || !slices.isOver()) continue;
    await slices.next();
    if (isOver()) return false;
  }
  return true;
}
