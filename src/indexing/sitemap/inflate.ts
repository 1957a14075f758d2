import { DecompressFailure, decompress } from "../../platform/decompress.ts";
import type { SitemapLimits } from "../../platform/lists/limits.ts";
import { readAhead } from "../../platform/read-ahead.ts";
import { atMost, invalidSitemap } from "./limits.ts";

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
  try {
    yield* decompress(chunks, "gzip", limits);
  } catch (thrown) {
    if (!(thrown instanceof DecompressFailure)) throw thrown;
    if (thrown.problem === "corrupt") throw invalidSitemap("its gzip data is corrupt or incomplete");
    throw invalidSitemap(`it decompresses to over ${limits.ratio} times its size`);
  }
}
