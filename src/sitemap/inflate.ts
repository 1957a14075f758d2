import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { invalidSitemap } from "./limits.ts";
import { peek } from "./peek.ts";

/**
 * Unpacks gzip where the bytes say so (`1f 8b`), whatever a name or a header claims; twice, because servers
 * compress `.xml.gz` files again. The caller counts what comes out: a small file can hold gigabytes.
 */
export async function* inflate(chunks: AsyncIterable<Buffer>, layers = 2): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, 2);
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  if (!packed || layers === 0) yield* all;
  else yield* inflate(gunzip(all), layers - 1);
}

async function* gunzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // Awaited nowhere: its failure reaches the loop below through the stream itself.
  const feeding = pipeline(chunks, gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk;
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
