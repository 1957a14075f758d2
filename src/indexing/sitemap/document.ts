import type { SitemapFormat } from "./format.ts";
import { inflate } from "./inflate.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { readSitemap } from "./read.ts";
import { readAhead } from "./read-ahead.ts";

/** Bytes that several documents may come to, unpacked. */
export interface ByteBudget {
  /** Below zero once they have come to more. */
  left: number;
}

/**
 * The addresses of one document. They are held until its end, because only then it is known whether it is whole,
 * and whether they are pages.
 * @throws Refusal sitemap_invalid, unavailable; what `body` throws passes through
 */
export async function readDocument(
  body: AsyncIterable<Buffer>,
  limits: SitemapLimits,
  meter: ByteBudget,
): Promise<{ format: SitemapFormat; addresses: string[] }> {
  const addresses: string[] = [];
  const budget = new MemoryBudget();
  try {
    const { format } = await readSitemap(
      metered(inflate(body, limits), meter),
      (address) => {
        budget.take(address);
        addresses.push(address);
      },
      limits,
    );
    return { format, addresses };
  } finally {
    budget.release();
  }
}

async function* metered(chunks: AsyncIterable<Buffer>, meter: ByteBudget): AsyncGenerator<Buffer> {
  const { head, all } = await readAhead(chunks, 256);
  // What a sign-in form or an error page begins with; the reader would complain of its DOCTYPE.
  if (/^\W*<(!doctype\s+html|html)\b/i.test(head.toString("latin1"))) throw invalidSitemap("it is a web page in HTML");
  for await (const chunk of all) {
    meter.left -= chunk.length;
    if (meter.left < 0) throw invalidSitemap("with it the sitemaps of the index come to too much");
    yield chunk;
  }
}
