import { type Compression, DecompressFailure, decompress } from "../decompress.ts";
import { FetchFailure } from "./failure.ts";
import type { HttpLimits } from "./limits.ts";

const CODINGS: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
  ["zstd", "zstd"],
]);

/** Codings of IANA's registry that cannot be undone here. */
const OTHERS: ReadonlySet<string> = new Set([
  "compress",
  "x-compress",
  "exi",
  "pack200-gzip",
  "aes128gcm",
  "dcb",
  "dcz",
]);

/** Most codings of one body, as in curl. */
const MOST = 5;

/**
 * The codings in a header Content-Encoding, in the order in which they were applied; null if one of them cannot be undone.
 * Names that are no coding are left out, because servers put things there that change no byte: `identity`, `none`, `UTF-8`,
 * `aws-chunked`.
 */
export function codingsOf(header = ""): Compression[] | null {
  const names = header.split(",").map((name) => name.trim().toLowerCase());
  if (names.some((name) => OTHERS.has(name))) return null;
  return names.map((name) => CODINGS.get(name)).filter((coding) => coding !== undefined);
}

/**
 * Undoes the codings of a body. Between two of them it has at most `maxBytes`, too.
 * @throws FetchFailure too_large, broken; and what `chunks` throws
 */
export async function* undone(
  chunks: AsyncIterable<Buffer>,
  codings: readonly Compression[] | null,
  maxBytes: number,
  limits: Pick<HttpLimits, "ratio" | "ratioFrom">,
): AsyncGenerator<Buffer> {
  if (!codings || codings.length > MOST) throw new FetchFailure("broken", "coding");
  const body = codings.reduceRight((coded, coding) => atMost(maxBytes, decompress(coded, coding, limits)), chunks);
  try {
    yield* body;
  } catch (thrown) {
    if (!(thrown instanceof DecompressFailure)) throw thrown;
    throw thrown.problem === "bomb" ? new FetchFailure("too_large") : new FetchFailure("broken", "coding");
  }
}

/** @throws FetchFailure too_large; and what `chunks` throws */
export async function* atMost(max: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > max) throw new FetchFailure("too_large");
    yield chunk;
  }
}
