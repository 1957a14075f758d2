import { Refusal } from "../../platform/errors/errors.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import { type CollectContext, type Collected, passOn } from "./collect-context.ts";
import { readDocument } from "./document.ts";
import { Downloads } from "./downloads.ts";
import { unreachable } from "./fetch.ts";
import { invalidSitemap } from "./limits.ts";

/** The sitemaps that an index lists, each once. */
export interface ChildSitemaps {
  readonly urls: readonly string[];
  /** Entries that are no absolute addresses, or the index itself. */
  readonly rejected: number;
  readonly isTruncated: boolean;
}

export function childSitemapsOf(addresses: readonly string[], self: readonly string[], most: number): ChildSitemaps {
  const own = new Set(self.map(normaliseUrl));
  const urls = new Set<string>();
  let rejected = 0;
  for (const address of addresses) {
    const url = normaliseUrl(address);
    if (url !== null && urls.has(url)) continue;
    if (urls.size + rejected === most) return { urls: [...urls], rejected, isTruncated: true };
    if (url === null || own.has(url)) rejected += 1;
    else urls.add(url);
  }
  return { urls: [...urls], rejected, isTruncated: false };
}

/**
 * Reads the sitemaps of an index in its order. One that fails is counted and skipped.
 * @throws Refusal of the first that failed, when none could be read
 */
export async function readChildSitemaps(
  reading: CollectContext,
  { urls, rejected, isTruncated }: ChildSitemaps,
): Promise<Omit<Collected, "format">> {
  const downloads = new Downloads(urls, reading.limits.prefetch, reading.open);
  // Whatever the reading waits for then, it waits no longer.
  reading.end.addEventListener("abort", () => downloads.close(), { once: true });
  const failures: Refusal[] = [];
  let read = 0;
  let isWhole = !isTruncated;
  try {
    for (let index = 0; index < urls.length; index++) {
      const addresses = await pagesOf(reading, downloads.read(index))
        .catch((thrown) => failureOf(reading, thrown))
        .finally(() => downloads.drop(index));
      if (reading.isOver() || reading.byteBudget.left < 0) isWhole = false;
      else if (addresses instanceof Refusal) {
        failures.push(addresses);
        continue;
      } else {
        read += 1;
        if (await passOn(reading, addresses)) continue;
        isWhole = false;
      }
      break;
    }
  } finally {
    downloads.close();
  }
  if (read === 0 && reading.isOver()) throw unreachable("timeout");
  const failed = rejected + failures.length;
  if (read === 0 && failed > 0) throw noneReadable(failed, failures[0] ?? invalidSitemap("it lists no other address"));
  return { sitemapsRead: read, sitemapsFailed: failed, cutShort: !isWhole };
}

async function pagesOf({ limits, byteBudget }: CollectContext, body: AsyncIterable<Buffer>): Promise<string[]> {
  const { format, addresses } = await readDocument(body, limits.document, byteBudget);
  if (format === "index") throw invalidSitemap("an index must not list another index");
  return addresses;
}

/** What is wrong with one sitemap; anything else that was thrown ends the whole. */
function failureOf({ isOver }: CollectContext, thrown: unknown): Refusal {
  if (isOver()) return unreachable("timeout");
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
