import { setImmediate as breathe } from "node:timers/promises";
import { decode } from "./decode.ts";
import type { Reader, SitemapFormat } from "./format.ts";
import { inflate } from "./inflate.ts";
import { atMost, invalidSitemap, SITEMAP_LIMITS, type SitemapLimits } from "./limits.ts";
import { textReader } from "./text.ts";
import { xmlReader } from "./xml.ts";

export interface SitemapSummary {
  readonly format: SitemapFormat;
  /** Entries told, empty ones included. */
  readonly entries: number;
}

/** Text parsed between two turns of the event loop: about 10 ms. */
const PIECE = 256 * 1024;

/**
 * Reads a sitemap (sitemaps.org/protocol.html): urlset, sitemap index, RSS 2.0, Atom or one URL per line,
 * gzip or not. `onEntry` is told every address in document order as it stands there, trimmed, and not
 * checked; of an index these are the sitemaps it lists. Holds no more than one tag in memory.
 *
 * @throws Refusal sitemap_invalid; whatever `source` itself throws passes through
 */
export async function readSitemap(
  source: Buffer | AsyncIterable<Buffer>,
  onEntry: (address: string) => void,
  limits: SitemapLimits = SITEMAP_LIMITS,
): Promise<SitemapSummary> {
  let entries = 0;
  const tell = (address: string) => {
    entries += 1;
    onEntry(address);
  };
  const wire = atMost(Buffer.isBuffer(source) ? pieces(source) : source, limits.wireBytes, "as sent");
  const bytes = atMost(inflate(wire), limits.bytes, "unpacked");

  let reader: Reader | undefined;
  for await (const text of decode(bytes)) {
    const piece = reader ? text : text.trimStart();
    if (piece === "") continue;
    reader ??= piece.startsWith("<") ? xmlReader(tell, limits) : textReader(tell, limits);
    for (let at = 0; at < piece.length; at += PIECE) {
      reader.write(piece.slice(at, at + PIECE));
      if (piece.length > PIECE) await breathe();
    }
  }
  if (!reader) throw invalidSitemap("it is empty");
  return { format: reader.end(), entries };
}

async function* pieces(whole: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += PIECE) {
    yield whole.subarray(at, at + PIECE);
    await breathe();
  }
}
