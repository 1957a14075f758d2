import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { FetchFailure } from "./failure.ts";
import type { HttpLimits } from "./limits.ts";
import { MinSpeed } from "./min-speed.ts";

interface Sizes {
  /** The header Content-Length, if there is one. */
  readonly declared: string | undefined;
  /** Most bytes: as sent, and decoded. */
  readonly maxWireBytes: number;
  readonly maxBytes: number;
}

export type Coding = "identity" | "gzip" | "unknown";

/** The coding in a header Content-Encoding; `unknown` is one that we did not ask for, or several in a row. */
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
 * Decodes a body, in chunks of about 64 KB and no faster than it is read. The source is destroyed when reading ends,
 * however it ends.
 * @throws FetchFailure too_large, timeout, broken
 */
export async function* readBody(
  source: Readable,
  coding: Coding,
  { declared, maxWireBytes, maxBytes }: Sizes,
  limits: HttpLimits,
): AsyncGenerator<Buffer> {
  try {
    if (coding === "unknown") throw new FetchFailure("broken");
    if (Number(declared) > maxWireBytes) throw new FetchFailure("too_large");
    const sent = atMost(maxWireBytes, fastEnough(source, limits));
    yield* atMost(maxBytes, coding === "gzip" ? gunzipped(sent, limits) : sent);
  } catch (thrown) {
    throw thrown instanceof FetchFailure ? thrown : new FetchFailure("broken");
  } finally {
    source.destroy();
  }
}

async function* atMost(max: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > max) throw new FetchFailure("too_large");
    yield chunk;
  }
}

async function* fastEnough(source: Readable, limits: HttpLimits): AsyncGenerator<Buffer> {
  const speed = new MinSpeed(limits, () => source.destroy(new FetchFailure("timeout")));
  speed.wait();
  try {
    for await (const chunk of source) {
      speed.received(chunk.length);
      yield chunk;
      speed.wait();
    }
  } finally {
    speed.received(0);
  }
}

/** Node decodes all members of a gzip file one after another, and counts their bytes together. */
async function* gunzipped(sent: AsyncIterable<Buffer>, limits: HttpLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // Awaited nowhere: its failure reaches the loop below through the stream itself.
  pipeline(sent, gunzip).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of gunzip) {
      bytes += chunk.length;
      // `bytesWritten` counts what has been decoded so far, not what waits to be.
      if (bytes > limits.ratioFrom && bytes > limits.ratio * gunzip.bytesWritten) throw new FetchFailure("too_large");
      yield chunk;
    }
  } catch (thrown) {
    // Servers send Content-Encoding with an empty body, too.
    const isEmpty = gunzip.bytesWritten === 0 && (thrown as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
    if (!isEmpty) throw thrown;
  } finally {
    gunzip.destroy();
  }
}
