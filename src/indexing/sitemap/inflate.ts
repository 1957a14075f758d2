import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { atMost, invalidSitemap, type SitemapLimits } from "./limits.ts";
import { readAhead } from "./read-ahead.ts";

/**
 * Unpacks gzip where the bytes say so (`1f 8b`), whatever a name or a header claims; twice, because servers
 * compress `.xml.gz` files again. The caller counts what comes out.
 */
export async function* inflate(
  chunks: AsyncIterable<Buffer>,
  limits: SitemapLimits,
  layers = 2,
): AsyncGenerator<Buffer> {
  const { head, all } = await readAhead(chunks, 2);
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  if (!packed || layers === 0) yield* all;
  else yield* inflate(gunzip(atMost(all, limits.wireBytes, "packed"), limits), limits, layers - 1);
}

async function* gunzip(chunks: AsyncIterable<Buffer>, limits: SitemapLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // Awaited nowhere: its failure reaches the loop below through the stream itself.
  const feeding = pipeline(chunks, gunzip).catch(() => undefined);
  let unpacked = 0;
  try {
    for await (const chunk of gunzip) {
      unpacked += chunk.length;
      // `bytesWritten` is what was unpacked so far, not what waits for it.
      if (unpacked > limits.ratioFrom && unpacked > limits.ratio * gunzip.bytesWritten) {
        throw invalidSitemap(`it unpacks to over ${limits.ratio} times its size`);
      }
      yield chunk;
    }
  } catch (thrown) {
    throw isZlibError(thrown) ? invalidSitemap("its gzip data is broken or cut off") : thrown;
  } finally {
    gunzip.destroy();
    await feeding;
  }
}

function isZlibError(thrown: unknown): boolean {
  return (
    thrown instanceof Error && "errno" in thrown && String((thrown as NodeJS.ErrnoException).code).startsWith("Z_")
  );
}
