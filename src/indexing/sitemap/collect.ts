import { setTimeout as sleep } from "node:timers/promises";
import { refuseIfCancelled } from "../../platform/errors/cancelled.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { childSitemapsOf, readChildSitemaps } from "./child-sitemaps.ts";
import { COLLECT_LIMITS, type CollectContext, type Collected, type CollectLimits, passOn } from "./collect-context.ts";
import { readDocument } from "./document.ts";
import { type OpenedSitemap, openSitemap, type Pause, tooSlow } from "./fetch.ts";

export interface CollectOptions {
  readonly http: HttpClient;
  readonly signal?: AbortSignal | undefined;
  /** Set by a caller that reads a sitemap again and again. Entries then have the time of their last modification. */
  readonly dated?: {
    /** The headers that make the request for a document conditional. */
    headersOf(url: string): { readonly headers?: Readonly<Record<string, string>> };
    onOpened(url: string, opened: OpenedSitemap): void;
  };
}

/**
 * Fetches a sitemap and calls `onEntry` with every page address, as written, in document order, until it returns
 * false. An index is followed one level deep. No address is passed on from a document that fails half-way.
 *
 * @throws NotModified when the server says so in answer to a conditional request
 * @throws Refusal sitemap_unreachable, sitemap_invalid, unavailable, also when `signal` is aborted
 */
export async function collectSitemap(
  { http, signal, dated }: CollectOptions,
  url: string,
  onEntry: CollectContext["onEntry"],
  limits: CollectLimits = COLLECT_LIMITS,
): Promise<Collected> {
  refuseIfCancelled(signal);
  const end = new AbortController();
  const abort = () => end.abort();
  const timer = setTimeout(abort, limits.totalMs);
  signal?.addEventListener("abort", abort, { once: true });
  const { bytes } = limits.document;
  const options = { timeMs: limits.documentMs, maxWireBytes: bytes, maxBytes: bytes, signal: end.signal };
  const pause = pauseBefore(performance.now() + limits.totalMs, limits.leastPauseMs, end.signal);
  const context: CollectContext = {
    async open(address) {
      const opened = await openSitemap(http, address, { ...options, ...dated?.headersOf(address) }, pause);
      dated?.onOpened(address, opened);
      return opened;
    },
    onEntry,
    isDated: dated !== undefined,
    limits,
    byteBudget: { left: limits.totalBytes },
    end: end.signal,
    isOver: () => end.signal.aborted,
  };
  try {
    const collected = await read(context, url);
    refuseIfCancelled(signal);
    return collected;
  } catch (thrown) {
    refuseIfCancelled(signal);
    throw context.isOver() ? tooSlow() : thrown;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    end.abort();
  }
}

/** Waits as long as a server asks for, if that is over before `endsAt`. */
function pauseBefore(endsAt: number, leastMs: number, signal: AbortSignal): Pause {
  return async (ms) => {
    const pauseMs = Math.max(ms, leastMs);
    if (performance.now() + pauseMs >= endsAt) return false;
    return sleep(pauseMs, true, { signal }).catch(() => false);
  };
}

async function read(context: CollectContext, url: string): Promise<Collected> {
  const { limits, byteBudget } = context;
  const opened = await context.open(url);
  const { isDated } = context;
  const arriving = { body: opened.body, charset: () => opened.charset };
  const document = await readDocument(arriving, limits.document, byteBudget, isDated).finally(() => opened.discard());
  const { format } = document;
  if (format === "index") {
    const listed = childSitemapsOf(document.addresses, [url, opened.url], limits.children);
    return { format, ...(await readChildSitemaps(context, listed)) };
  }
  const isWhole = await passOn(context, document);
  return {
    format,
    sitemapsRead: 1,
    sitemapsFailed: 0,
    failedSitemaps: [],
    cutShort: !isWhole,
    timedOut: !isWhole && context.isOver(),
  };
}
