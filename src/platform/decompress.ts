import { pipeline } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { readAhead } from "./read-ahead.ts";

export type Compression = "gzip" | "deflate" | "br" | "zstd";

/** Most bytes that one compressed byte may become, once there are more than `ratioFrom`. */
export interface Ratio {
  readonly ratio: number;
  readonly ratioFrom: number;
}

/** `corrupt`: not compressed in this way, or cut off. `bomb`: it becomes too large for its size. */
export class DecompressFailure extends Error {
  readonly problem: "corrupt" | "bomb";

  constructor(problem: DecompressFailure["problem"]) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Decompresses data in chunks of at most 64 KB and no faster than it is read. No data at all stays no data. The caller limits
 * the size.
 * @throws DecompressFailure, and what `chunks` throws
 */
export async function* decompress(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
  { ratio, ratioFrom }: Ratio,
): AsyncGenerator<Buffer> {
  const { head, all } = await readAhead(chunks, 2);
  if (head.length === 0) return;
  const decoder = DECODERS[compression](head);
  let source: { readonly thrown: unknown } | undefined;
  const feed = async function* () {
    try {
      yield* all;
    } catch (thrown) {
      source = { thrown };
      throw thrown;
    }
  };
  // A failure reaches the loop below through the stream, so this promise never rejects.
  const feeding = pipeline(feed, decoder).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of decoder) {
      bytes += chunk.length;
      // `bytesWritten` counts what was decompressed so far, not what is queued.
      if (bytes > ratioFrom && bytes > ratio * decoder.bytesWritten) throw new DecompressFailure("bomb");
      yield chunk;
    }
  } catch (thrown) {
    if (source) throw source.thrown;
    throw thrown instanceof DecompressFailure ? thrown : new DecompressFailure("corrupt");
  } finally {
    decoder.destroy();
    await feeding;
  }
}

const SIZE = { chunkSize: 64 * 1024 };

/** Several gzip members and zstd frames one after another are one text. */
const DECODERS = {
  gzip: () => createGunzip(SIZE),
  // Some servers send deflate without the header of zlib that RFC 9110 section 8.4.1.2 asks for.
  deflate: (head: Buffer) => (hasZlibHeader(head) ? createInflate(SIZE) : createInflateRaw(SIZE)),
  br: () => createBrotliDecompress(SIZE),
  // RFC 9659 limits the window of the content coding to 8 MB, and so what a decoder needs.
  zstd: () => createZstdDecompress({ ...SIZE, params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
} as const satisfies Record<Compression, unknown>;

/** RFC 1950 section 2.2. */
function hasZlibHeader(head: Buffer): boolean {
  return head.length === 2 && (head[0]! & 0x0f) === 8 && head.readUInt16BE() % 31 === 0;
}
