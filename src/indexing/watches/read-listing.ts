import type { Listing } from "../../domain/watches/difference.ts";
import type { WatchRow } from "../../domain/watches/rows.ts";
import { settingsOf } from "../../domain/watches/rows.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { UrlListBuilder } from "../../platform/urls/urls.ts";
import { collectSitemap } from "../sitemap/collect.ts";
import { NotModified } from "../sitemap/fetch.ts";
import { MemoryBudget } from "../sitemap/memory-budget.ts";
import { PAGE_LIMITS } from "../sitemap/pages.ts";
import { areUnchanged, conditionalHeaders, DocumentRecorder, documentsIn } from "./documents.ts";
import { pathFilter } from "./path-filter.ts";

export interface ReadListing {
  readonly listing: Listing;
  /** For `WatchRow.documents`. */
  readonly documents: string | null;
}

/**
 * Reads the pages of a watched sitemap that its patterns let through.
 * @param isConditional whether the server may answer that nothing has changed
 * @returns null when it does
 * @throws Refusal sitemap_unreachable, sitemap_invalid, unavailable
 */
export async function readListing(
  http: HttpClient,
  watch: WatchRow,
  { isConditional, signal }: { isConditional: boolean; signal?: AbortSignal | undefined },
): Promise<ReadListing | null> {
  const documents = isConditional ? documentsIn(watch.documents) : [];
  if (documents.length > 1 && (await areUnchanged(http, documents, signal))) return null;
  const headers = documents.length === 1 ? conditionalHeaders(documents[0]!) : undefined;
  try {
    return await readWhole(http, watch, headers, signal);
  } catch (thrown) {
    if (thrown instanceof NotModified) return null;
    throw thrown;
  }
}

async function readWhole(
  http: HttpClient,
  watch: WatchRow,
  headers: Readonly<Record<string, string>> | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadListing> {
  const { include, exclude } = settingsOf(watch);
  const isWatched = pathFilter(include, exclude);
  const recorder = new DocumentRecorder();
  const list = new UrlListBuilder();
  const budget = new MemoryBudget();
  const dates: number[] = [];
  let characters = 0;
  const take = (address: string, modified: number | null) => {
    if (list.size === PAGE_LIMITS.urls || characters > PAGE_LIMITS.characters) return false;
    if (!list.add(address)) return true;
    dates.push(modified ?? 0);
    characters += address.length;
    budget.take(address);
    return true;
  };
  const dated = {
    headersOf: (url: string) => (headers && url === watch.sitemapUrl ? { headers } : {}),
    onOpened: recorder.onOpened.bind(recorder),
  };
  try {
    const { sitemapsFailed, cutShort } = await collectSitemap({ http, signal, dated }, watch.sitemapUrl, take);
    const all = list.list().accepted;
    const kept = all.flatMap((url, index) => (isWatched(url) ? index : []));
    const listing = {
      urls: kept.length === all.length ? all : kept.map((index) => all[index]!),
      modified: Uint32Array.from(kept, (index) => dates[index]!),
      isComplete: sitemapsFailed === 0 && !cutShort,
    };
    if (all.length === 0) throw new Refusal("sitemap_invalid", "The sitemap lists no page.", { reason: "no_pages" });
    return { listing, documents: listing.isComplete ? recorder.text() : null };
  } finally {
    budget.release();
  }
}
