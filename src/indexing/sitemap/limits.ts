import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";

/** Limits of one document. Sizes are the ones in sitemaps.org/protocol.html. The other limits protect the parser. */
export const SITEMAP_LIMITS = {
  /** Bytes of a gzip file as received. An uncompressed document is limited by `bytes` only. */
  wireBytes: 10 * 1024 * 1024,
  /** Bytes of the document, decompressed. */
  bytes: 50 * 1024 * 1024,
  /**
   * Highest compression ratio of gzip, checked from `ratioFrom` decompressed bytes on. Ordinary sitemaps stay far
   * below it.
   */
  ratio: 200,
  ratioFrom: 1024 * 1024,
  depth: 16,
  /** Characters of an element's name. */
  name: 256,
  /** Characters of one address. */
  address: 8 * 1024,
  /** Elements of an XML document, or lines of a text. */
  elements: 1_000_000,
  /** Characters of anything that the parser has to buffer as a whole: a tag, a comment or a text. */
  token: 4 * 1024 * 1024,
} as const;

export type SitemapLimits = { readonly [K in keyof typeof SITEMAP_LIMITS]: number };

/** @param what our own words: the document was written by a stranger, and is never quoted */
export function invalidSitemap(what: string): Refusal {
  return new Refusal("sitemap_invalid", `The document is not a sitemap that can be read: ${what}.`);
}

/** Passes up to `max` bytes on. @throws Refusal sitemap_invalid */
export async function* atMost(chunks: AsyncIterable<Buffer>, max: number, what: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > max) throw invalidSitemap(`it is over ${formatNumber(max)} bytes ${what}`);
    yield chunk;
  }
}
