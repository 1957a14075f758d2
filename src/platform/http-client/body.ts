import type { Readable } from "node:stream";
import type { Compression } from "../decompress.ts";
import { atMost, undone } from "./content-codings.ts";
import { FetchFailure, fetchFailureOf } from "./failure.ts";
import type { HttpLimits } from "./limits.ts";
import { MinSpeed } from "./min-speed.ts";

interface Sizes {
  /** The header Content-Length, if there is one. */
  readonly declared: string | undefined;
  /** Most bytes: as sent, and decoded. */
  readonly maxWireBytes: number;
  readonly maxBytes: number;
}

/**
 * Decodes a body, in chunks of about 64 KB and no faster than it is read. The source is destroyed when reading ends,
 * however it ends.
 * @throws FetchFailure too_large, timeout, broken
 */
export async function* readBody(
  source: Readable,
  codings: readonly Compression[] | null,
  { declared, maxWireBytes, maxBytes }: Sizes,
  limits: HttpLimits,
): AsyncGenerator<Buffer> {
  try {
    if (Number(declared) > maxWireBytes) throw new FetchFailure("too_large");
    const sent = atMost(maxWireBytes, fastEnough(source, limits));
    yield* atMost(maxBytes, undone(sent, codings, maxBytes, limits));
  } catch (thrown) {
    throw thrown instanceof FetchFailure
      ? thrown
      : new FetchFailure("broken", fetchFailureOf(thrown).detail ?? "cut_short");
  } finally {
    source.destroy();
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
