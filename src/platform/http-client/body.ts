import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { FetchFailure } from "./failure.ts";
import type { HttpLimits } from "./limits.ts";
import { SpeedWatch } from "./min-speed.ts";

interface Sizes {
  /** What Content-Length says, or undefined. */
  readonly declared: string | undefined;
  /** Most bytes: as sent, and after Content-Encoding. */
  readonly wireBytes: number;
  readonly bytes: number;
}

export type Coding = "identity" | "gzip" | "unknown";

/** What Content-Encoding says. Of several codings, one inside another, none is asked for and none is undone. */
export function codingOf(header = ""): Coding {
  const names = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length === 0) return "identity";
  return names.length === 1 && /^(?:x-)?gzip$/.test(names[0]!) ? "gzip" : "unknown";
}

/**
 * The body, decoded, in pieces of about 64 KB, no faster than it is read. However reading ends, the source is
 * destroyed then, if there is more of it.
 * @throws FetchFailure too_large, timeout, broken
 */
export async function* readBody(
  source: Readable,
  coding: Coding,
  { declared, wireBytes, bytes }: Sizes,
  limits: HttpLimits,
): AsyncGenerator<Buffer> {
  try {
    if (coding === "unknown") throw new FetchFailure("broken");
    if (Number(declared) > wireBytes) throw new FetchFailure("too_large");
    const sent = atMost(wireBytes, steady(source, limits));
    yield* atMost(bytes, coding === "gzip" ? unpacked(sent, limits) : sent);
  } catch (thrown) {
    throw thrown instanceof FetchFailure ? thrown : new FetchFailure("broken");
  } finally {
    source.destroy();
  }
}

async function* atMost(most: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw new FetchFailure("too_large");
    yield chunk;
  }
}

async function* steady(source: Readable, limits: HttpLimits): AsyncGenerator<Buffer> {
  const watch = new SpeedWatch(limits, () => source.destroy(new FetchFailure("timeout")));
  watch.wait();
  try {
    for await (const chunk of source) {
      watch.came(chunk.length);
      yield chunk;
      watch.wait();
    }
  } finally {
    watch.came(0);
  }
}

/** Node undoes all members of a gzip file, one after the other, and counts them together. */
async function* unpacked(sent: AsyncIterable<Buffer>, limits: HttpLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // Awaited nowhere: its failure reaches the loop below through the stream itself.
  pipeline(sent, gunzip).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of gunzip) {
      bytes += chunk.length;
      // `bytesWritten` is what has been unpacked so far, not what waits to be.
      if (bytes > limits.ratioFrom && bytes > limits.ratio * gunzip.bytesWritten) throw new FetchFailure("too_large");
      yield chunk;
    }
  } catch (thrown) {
    // Servers name the coding of a body that is empty, too.
    const isEmpty = gunzip.bytesWritten === 0 && (thrown as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
    if (!isEmpty) throw thrown;
  } finally {
    gunzip.destroy();
  }
}
