import type { Listing } from "../../domain/watches/difference.ts";
import type { WatchRow } from "../../domain/watches/rows.ts";
import { settingsOf } from "../../domain/watches/rows.ts";
import { FAILING } from "../../domain/watches/watch-events.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { InvalidReason } from "../../platform/urls/urls.ts";
import { collectSitemap } from "../sitemap/collect.ts";
import { NotModified } from "../sitemap/fetch.ts";
import { MemoryBudget } from "../sitemap/memory-budget.ts";
import { PAGE_LIMITS } from "../sitemap/pages.ts";
import { areUnchanged, conditionalHeaders, DocumentRecorder, documentsIn } from "./documents.ts";
import { PageList } from "./page-list.ts";
import { pathFilter } from "./path-filter.ts";

export interface ReadListing {
  readonly listing: Listing;
  /** For `WatchRow.documents`. */
  readonly documents: string | null;
}

/** Bytes of addresses that all readings of this thread may hold. Beyond that, another large reading has to wait. */
const MEMORY = 256 * 1024 * 1024;

/**
 * Reads the pages of a watched sitemap that its patterns let through.
 * @param isConditional whether the server may answer that nothing has changed
 * @returns null when nothing has changed
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
  const recorder = new DocumentRecorder();
  const list = new PageList(pathFilter(include, exclude));
  const budget = new MemoryBudget(MEMORY);
  let characters = 0;
  const take = (address: string, modified: number | null, problem?: InvalidReason) => {
    if (list.urls.length === PAGE_LIMITS.urls || characters > PAGE_LIMITS.characters) return false;
    if (problem || !list.add(address, modified ?? 0)) return true;
    characters += address.length;
    budget.take(address);
    return true;
  };
  const dated = {
    headersOf: (url: string) => (headers && url === watch.sitemapUrl ? { headers } : {}),
    onOpened: recorder.onOpened.bind(recorder),
  };
  try {
    const read = await collectSitemap({ http, signal, dated }, watch.sitemapUrl, take);
    const { sitemapsFailed, cutShort, timedOut } = read;
    if (cutShort && !timedOut) throw failed("The sitemap lists more than a watch can read.", "too_large");
    if (!list.isAnyListed) throw failed("The sitemap lists no page.", "no_pages");
    const isComplete = sitemapsFailed === 0 && !cutShort;
    // Pages that could not be read would count as new the next time. If a part of the sitemap is missing every time,
    // the sitemap is accepted as it is in the end.
    if (!isComplete && watch.firstRun === "baseline" && watch.failures < FAILING)
      throw failed("A part of the sitemap could not be read.", "incomplete");
    const listing = { urls: list.urls, modified: list.modified, isComplete };
    return { listing, documents: isComplete ? recorder.text() : null };
  } finally {
    budget.release();
  }
}

function failed(message: string, reason: string): Refusal {
  return new Refusal("sitemap_invalid", message, { reason });
}
