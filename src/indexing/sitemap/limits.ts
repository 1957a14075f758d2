import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";

/** What one document may ask of us. Sizes as in sitemaps.org/protocol.html; the rest guards the reader. */
export const SITEMAP_LIMITS = {
  /** Bytes of what arrives as gzip, as they come; a plain document has `bytes` only. */
  wireBytes: 10 * 1024 * 1024,
  /** Bytes of the document, unpacked. */
  bytes: 50 * 1024 * 1024,
  /** How many times its own size gzip may unpack to, once `ratioFrom` bytes are out. Sitemaps come to 10 or 30. */
  ratio: 200,
  ratioFrom: 1024 * 1024,
  depth: 16,
  /** Characters of an element's name. */
  name: 256,
  /** Characters of one address. */
  address: 8 * 1024,
  /** Elements of an XML document, lines of a text one. */
  elements: 1_000_000,
  /** Characters of anything that the parser has to hold whole: a tag, a comment, a text. */
  token: 4 * 1024 * 1024,
} as const;

export type SitemapLimits = { readonly [K in keyof typeof SITEMAP_LIMITS]: number };

/** Our words only: what a stranger's document holds is never quoted. */
export function invalidSitemap(what: string): Refusal {
  return new Refusal("sitemap_invalid", `The document is not a sitemap that can be read: ${what}.`);
}

/** Passes the bytes on, up to `max`. @throws Refusal sitemap_invalid */
export async function* atMost(chunks: AsyncIterable<Buffer>, max: number, what: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > max) throw invalidSitemap(`it is over ${formatNumber(max)} bytes ${what}`);
    yield chunk;
  }
}
