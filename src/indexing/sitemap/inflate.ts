import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { SitemapLimits } from "../../platform/lists/limits.ts";
import { atMost, invalidSitemap } from "./limits.ts";
import { readAhead } from "./read-ahead.ts";

/**
 * Decompresses data that begins with the gzip signature (`1f 8b`), whatever its name or headers say. It does so up to
 * twice, because some servers compress `.xml.gz` files again. The caller limits the decompressed size.
 */
export async function* inflate(
  chunks: AsyncIterable<Buffer>,
  limits: SitemapLimits,
  layers = 2,
): AsyncGenerator<Buffer> {
  const { head, all } = await readAhead(chunks, 2);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!isGzip || layers === 0) yield* all;
  else yield* inflate(gunzip(atMost(all, limits.wireBytes, "compressed"), limits), limits, layers - 1);
}

async function* gunzip(chunks: AsyncIterable<Buffer>, limits: SitemapLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // A failure reaches the loop below through the stream, so this promise is not awaited.
  const feeding = pipeline(chunks, gunzip).catch(() => undefined);
  let decompressed = 0;
  try {
    for await (const chunk of gunzip) {
      decompressed += chunk.length;
      // `bytesWritten` counts what was decompressed so far, not what is queued.
      if (decompressed > limits.ratioFrom && decompressed > limits.ratio * gunzip.bytesWritten) {
        throw invalidSitemap(`it decompresses to over ${limits.ratio} times its size`);
      }
      yield chunk;
    }
  } catch (thrown) {
    throw isZlibError(thrown) ? invalidSitemap("its gzip data is corrupt or incomplete") : thrown;
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
