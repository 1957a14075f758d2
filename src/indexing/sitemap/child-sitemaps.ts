import { Refusal } from "../../platform/errors/errors.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import { type CollectContext, type Collected, passOn } from "./collect-context.ts";
import { type ArrivingDocument, readDocument, type SitemapDocument } from "./document.ts";
import { Downloads } from "./downloads.ts";
import { type FailedSitemap, failedSitemap, MOST_FAILURES, nestedIndex, rejectedSitemap } from "./failed-sitemap.ts";
import { tooSlow } from "./fetch.ts";
import { invalidSitemap } from "./limits.ts";

/** The sitemaps that an index lists, without duplicates. */
export interface ChildSitemaps {
  readonly children: readonly { readonly url: string; readonly position: number }[];
  /** Entries that are no absolute URLs, or that name the index itself. */
  readonly rejected: readonly FailedSitemap[];
  /** Whether the index lists more than the limit. */
  readonly isTruncated: boolean;
}

export function childSitemapsOf(addresses: readonly string[], self: readonly string[], max: number): ChildSitemaps {
  const own = new Set(self.map(normaliseUrl));
  const positions = new Map<string, number>();
  const rejected: FailedSitemap[] = [];
  let isTruncated = false;
  for (const [position, address] of addresses.entries()) {
    const url = normaliseUrl(address);
    if (url !== null && positions.has(url)) continue;
    isTruncated = positions.size + rejected.length === max;
    if (isTruncated) break;
    if (url === null || own.has(url)) rejected.push(rejectedSitemap(position, url === null ? address : null));
    else positions.set(url, position);
  }
  const children = [...positions].map(([url, position]) => ({ url, position }));
  return { children, rejected, isTruncated };
}

/**
 * Reads the sitemaps of an index in their order. A sitemap that fails is told and skipped.
 * @throws Refusal of the first failure, when none could be read
 */
export async function readChildSitemaps(
  context: CollectContext,
  { children, rejected, isTruncated }: ChildSitemaps,
): Promise<Omit<Collected, "format">> {
  const urls = children.map(({ url }) => url);
  const downloads = new Downloads(urls, context.limits.prefetch, context.open);
  // Ends any wait for a download.
  context.end.addEventListener("abort", () => downloads.close(), { once: true });
  const failed = [...rejected];
  let firstRefusal: Refusal | undefined;
  let read = 0;
  let isWhole = !isTruncated;
  try {
    for (let index = 0; index < urls.length; index++) {
      const document = await pagesOf(context, {
        body: downloads.read(index),
        charset: () => downloads.charsetOf(index),
      })
        .catch((thrown) => failureOf(context, thrown))
        .finally(() => downloads.drop(index));
      if (context.isOver() || context.byteBudget.left < 0) isWhole = false;
      else if (document instanceof Refusal) {
        firstRefusal ??= document;
        failed.push(failedSitemap(children[index]!.position, urls[index]!, document));
        continue;
      } else {
        read += 1;
        if (await passOn(context, document)) continue;
        isWhole = false;
      }
      break;
    }
  } finally {
    downloads.close();
  }
  if (read === 0 && context.isOver()) throw tooSlow();
  if (read === 0 && failed.length > 0)
    throw noneReadable(failed.length, firstRefusal ?? invalidSitemap("it lists no other address"));
  return {
    sitemapsRead: read,
    sitemapsFailed: failed.length,
    failedSitemaps: failed.sort((a, b) => a.position - b.position).slice(0, MOST_FAILURES),
    cutShort: !isWhole,
    timedOut: !isWhole && context.isOver(),
  };
}

async function pagesOf(
  { limits, byteBudget, isDated }: CollectContext,
  arriving: ArrivingDocument,
): Promise<SitemapDocument> {
  const document = await readDocument(arriving, limits.document, byteBudget, isDated);
  if (document.format === "index") throw nestedIndex();
  return document;
}

/** The failure of one sitemap. @throws anything else, which ends the whole collection */
function failureOf({ isOver }: CollectContext, thrown: unknown): Refusal {
  if (isOver()) return tooSlow();
  if (thrown instanceof Refusal && thrown.code.startsWith("sitemap_")) return thrown;
  throw thrown;
}

function noneReadable(failed: number, { code, message, fields }: Refusal): Refusal {
  const words =
    failed === 1
      ? "The sitemap it lists is not readable."
      : `None of the ${failed} sitemaps it lists is readable; the first:`;
  return new Refusal(code, `The document is a sitemap index. ${words} ${message}`, fields);
}
