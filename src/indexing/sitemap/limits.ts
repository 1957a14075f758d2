import { Refusal } from "../../platform/errors/errors.ts";
import { formatNumber } from "../../platform/format.ts";

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
