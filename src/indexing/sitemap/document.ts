import type { ListFormat } from "../../platform/lists/format.ts";
import type { SitemapLimits } from "../../platform/lists/limits.ts";
import { readAhead } from "../../platform/read-ahead.ts";
import type { InvalidReason } from "../../platform/urls/urls.ts";
import { inflate } from "./inflate.ts";
import { invalidSitemap } from "./limits.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { readSitemap } from "./read.ts";

/** Bytes that several documents may have in total, decompressed. */
export interface ByteBudget {
  /** Negative once the documents have more. */
  left: number;
}

/** A document that is being received. */
export interface ArrivingDocument {
  readonly body: AsyncIterable<Buffer>;
  /** Known once the body has begun to arrive. */
  charset(): string | null;
}

/** The entries of one document. */
export interface SitemapDocument {
  readonly format: ListFormat;
  readonly addresses: readonly string[];
  /** When each was last modified, in seconds since 1970; null if that is not known or was not asked for. */
  readonly modified: readonly (number | null)[];
  /** Why some of the addresses are no URLs although they may look like ones, by their places. */
  readonly problems: ReadonlyMap<number, InvalidReason>;
}

/**
 * Reads the addresses of one document. They are kept until its end. Only then is it known whether the document is
 * complete, and whether the addresses are pages.
 * @throws Refusal sitemap_invalid, unavailable; and what the body throws
 */
export async function readDocument(
  { body, charset }: ArrivingDocument,
  limits: SitemapLimits,
  byteBudget: ByteBudget,
  isDated: boolean,
): Promise<SitemapDocument> {
  const addresses: string[] = [];
  const modified: (number | null)[] = [];
  const problems = new Map<number, InvalidReason>();
  const budget = new MemoryBudget();
  try {
    const { format } = await readSitemap(
      withinBudget(inflate(body, limits), byteBudget),
      (address, at, found) => {
        budget.take(address);
        if (found?.problem) problems.set(addresses.length, found.problem);
        addresses.push(address);
        if (isDated) modified.push(at);
      },
      limits,
      isDated,
      charset,
    );
    return { format, addresses, modified, problems };
  } finally {
    budget.release();
  }
}

async function* withinBudget(chunks: AsyncIterable<Buffer>, byteBudget: ByteBudget): AsyncGenerator<Buffer> {
  const { head, all } = await readAhead(chunks, 256);
  // A sign-in form or an error page. Without this check the refusal would be about its DOCTYPE.
  if (/^\W*<(!doctype\s+html|html)\b/i.test(head.toString("latin1"))) throw invalidSitemap("it is a web page in HTML");
  for await (const chunk of all) {
    byteBudget.left -= chunk.length;
    if (byteBudget.left < 0) throw invalidSitemap("the sitemaps of the index are too large together");
    yield chunk;
  }
}
