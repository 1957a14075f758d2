import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { ListFormat, OnEntry, Reader } from "../../platform/lists/format.ts";
import { SITEMAP_LIMITS, type SitemapLimits, UnreadableList } from "../../platform/lists/limits.ts";
import { isXml, XML_CHARACTERS } from "../../platform/lists/xml/xml-list.ts";
import { xmlReader } from "../../platform/lists/xml/xml-reader.ts";
import { decode } from "./decode.ts";
import { inflate } from "./inflate.ts";
import { atMost, invalidSitemap } from "./limits.ts";
import { textReader } from "./text.ts";

export interface SitemapSummary {
  readonly format: ListFormat;
  /** Number of entries, empty ones included. */
  readonly entries: number;
}

/** Bytes that are parsed without a pause, which takes 1 ms at most. */
const CHUNK_BYTES = 64 * 1024;

/** Longest time for which parsing holds the event loop, in ms. */
const MAX_BLOCK_MS = 2;

/**
 * Parses a sitemap (sitemaps.org/protocol.html): a urlset, a sitemap index, RSS 2.0, Atom, or a list or table of URLs, packed by
 * gzip or not. `onEntry` gets every address in document order, as written, trimmed and not validated. The addresses of an index
 * are the sitemaps that it lists. Memory holds one tag at a time, and an address keeps nothing else of the document in memory.
 *
 * @param isDated whether it also reads when pages were last modified
 * @throws Refusal sitemap_invalid; and what `source` or `onEntry` throws
 */
export async function readSitemap(
  source: Buffer | AsyncIterable<Buffer>,
  onEntry: OnEntry,
  limits: SitemapLimits = SITEMAP_LIMITS,
  isDated = false,
  charset?: () => string | null,
): Promise<SitemapSummary> {
  let entries = 0;
  const emit: OnEntry = (address, modified, found) => {
    entries += 1;
    const isDecoded = !address.includes("\ufffd");
    onEntry(copyOf(address), modified, isDecoded ? found : { line: 0, ...found, problem: "not_decodable" });
  };
  const bytes = atMost(
    inflate(Buffer.isBuffer(source) ? oneChunk(source) : source, limits),
    limits.bytes,
    "decompressed",
  );

  try {
    return { format: await parse(decode(inChunks(bytes), charset), emit, limits, isDated), entries };
  } catch (thrown) {
    throw thrown instanceof UnreadableList ? invalidSitemap(thrown.what) : thrown;
  }
}

/** Parses text chunk by chunk, and lets other work go on in between. @throws UnreadableList, Refusal sitemap_invalid */
async function parse(
  chunks: AsyncIterable<string>,
  onEntry: OnEntry,
  limits: SitemapLimits,
  isDated: boolean,
): Promise<ListFormat> {
  let reader: Reader | undefined;
  let unread = "";
  let yieldedAt = performance.now();
  const open = () => (isXml(unread) ? xmlReader(onEntry, limits, isDated) : textReader(onEntry, limits));
  for await (const text of chunks) {
    unread = reader ? text : (unread + text).trimStart();
    if (unread.length < XML_CHARACTERS && !reader) continue;
    reader ??= open();
    reader.write(unread);
    unread = "";
    if (performance.now() - yieldedAt < MAX_BLOCK_MS) continue;
    await yieldToEventLoop();
    yieldedAt = performance.now();
  }
  if (!reader && unread === "") throw invalidSitemap("it is empty");
  reader ??= open();
  reader.write(unread);
  return reader.end();
}

/**
 * Copies a string. A substring keeps its whole source in memory, here a chunk of the document for each address. A
 * concatenation with one does the same in compiled code.
 */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

async function* oneChunk(whole: Buffer): AsyncGenerator<Buffer> {
  yield whole;
}

async function* inChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
  }
}
