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

/** Bytes parsed in one go: about 1 ms at the slowest. */
const PIECE = 64 * 1024;

/** The event loop goes round at least this often, in ms. */
const TURN = 2;

/**
 * Reads a sitemap (sitemaps.org/protocol.html): urlset, sitemap index, RSS 2.0, Atom or one URL per line,
 * gzip or not. `onEntry` is told every address in document order as it stands there, trimmed, and not
 * checked; of an index these are the sitemaps it lists. Holds no more than one tag in memory, and what is told
 * holds nothing else.
 *
 * @throws Refusal sitemap_invalid; whatever `source` or `onEntry` throws passes through
 */
export async function readSitemap(
  source: Buffer | AsyncIterable<Buffer>,
  onEntry: (address: string) => void,
  limits: SitemapLimits = SITEMAP_LIMITS,
): Promise<SitemapSummary> {
  let entries = 0;
  const tell = (address: string) => {
    entries += 1;
    onEntry(copyOf(address));
  };
  const bytes = atMost(inflate(Buffer.isBuffer(source) ? only(source) : source, limits), limits.bytes, "unpacked");

  let reader: Reader | undefined;
  let turnedAt = performance.now();
  for await (const text of decode(inPieces(bytes))) {
    const piece = reader ? text : text.trimStart();
    if (piece === "") continue;
    reader ??= piece.startsWith("<") ? xmlReader(tell, limits) : textReader(tell, limits);
    reader.write(piece);
    if (performance.now() - turnedAt < TURN) continue;
    await breathe();
    turnedAt = performance.now();
  }
  if (!reader) throw invalidSitemap("it is empty");
  return { format: reader.end(), entries };
}

/**
 * A part of a string keeps the whole of it in memory, here 64 KB of document for each address that somebody holds.
 * Two parts put together are a string of their own from the first look at it on.
 */
function copyOf(text: string): string {
  const copy = text.slice(0, 1) + text.slice(1);
  return copy.charCodeAt(0) >= 0 ? copy : "";
}

async function* only(whole: Buffer): AsyncGenerator<Buffer> {
  yield whole;
}

async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
  }
}
