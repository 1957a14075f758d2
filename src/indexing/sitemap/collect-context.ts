import { setImmediate as breathe } from "node:timers/promises";
import type { ByteBudget } from "./document.ts";
import type { Prefetch } from "./downloads.ts";
import type { OpenedSitemap } from "./fetch.ts";
import type { SitemapFormat } from "./format.ts";
import { SITEMAP_LIMITS, type SitemapLimits } from "./limits.ts";

/** What one reading of a sitemap, with all that it lists, may ask of us. */
export interface CollectLimits {
  readonly document: SitemapLimits;
  /** Milliseconds for one document, and for all of them. */
  readonly documentMs: number;
  readonly totalMs: number;
  /** Bytes of all documents, unpacked. */
  readonly totalBytes: number;
  /** Sitemaps of an index that are followed. */
  readonly children: number;
  /** How these are fetched before they are read. */
  readonly prefetch: Prefetch;
}

export const COLLECT_LIMITS: CollectLimits = {
  document: SITEMAP_LIMITS,
  documentMs: 60_000,
  totalMs: 120_000,
  totalBytes: 200 * 1024 * 1024,
  children: 500,
  prefetch: { concurrency: 4, bufferBytes: 8 * 1024 * 1024 },
};

export interface Collected {
  readonly format: SitemapFormat;
  /** Documents with pages; an index is not one. */
  readonly sitemapsRead: number;
  /** Listed by the index, and not readable as a list of pages. */
  readonly sitemapsFailed: number;
  /** Whether a limit, or `onEntry`, ended the reading early. */
  readonly cutShort: boolean;
}

/** One reading of a sitemap and of what it lists. */
export interface CollectContext {
  open(url: string): Promise<OpenedSitemap>;
  /** Called with each address. @returns whether to go on */
  onEntry(address: string): boolean;
  readonly limits: CollectLimits;
  readonly byteBudget: ByteBudget;
  /** Aborted when its time is over. */
  readonly end: AbortSignal;
  isOver(): boolean;
}

/** Passes addresses to `onEntry` until it wants no more. @returns whether all were passed on */
export async function passOn({ onEntry }: CollectContext, addresses: readonly string[]): Promise<boolean> {
  for (let index = 0; index < addresses.length; index++) {
    if (!onEntry(addresses[index]!)) return false;
    if (index % 5_000 === 4_999) await breathe();
  }
  return true;
}
