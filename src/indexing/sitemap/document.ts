import type { SitemapFormat } from "./format.ts";
import { inflate } from "./inflate.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { readSitemap } from "./read.ts";
import { readAhead } from "./read-ahead.ts";

/** Bytes that several documents may have together, decompressed. */
export interface ByteBudget {
  /** Negative once they have more. */
  left: number;
}

/**
 * Reads the addresses of one document. They are kept until its end, because only then it is known whether the document is
 * complete, and whether the addresses are pages.
 * @throws Refusal sitemap_invalid, unavailable; and what `body` throws
 */
export async function readDocument(
  body: AsyncIterable<Buffer>,
  limits: SitemapLimits,
  byteBudget: ByteBudget,
): Promise<{ format: SitemapFormat; addresses: string[] }> {
  const addresses: string[] = [];
  const budget = new MemoryBudget();
  try {
    const { format } = await readSitemap(
      withinBudget(inflate(body, limits), byteBudget),
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

async function* withinBudget(chunks: AsyncIterable<Buffer>, byteBudget: ByteBudget): AsyncGenerator<Buffer> {
  const { head, all } = await readAhead(chunks, 256);
  // A sign-in form or an error page; without this the refusal would be about its DOCTYPE.
  if (/^\W*<(!doctype\s+html|html)\b/i.test(head.toString("latin1"))) throw invalidSitemap("it is a web page in HTML");
  for await (const chunk of all) {
    byteBudget.left -= chunk.length;
    if (byteBudget.left < 0) throw invalidSitemap("the sitemaps of the index are too large together");
    yield chunk;
  }
}
