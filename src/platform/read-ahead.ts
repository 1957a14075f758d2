/**
 * Reads the first `size` bytes, or fewer if there are no more. @returns them, and the whole sequence from its
 * beginning
 */
export async function readAhead(
  chunks: AsyncIterable<Buffer>,
  size: number,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const chunksRead: Buffer[] = [];
  for (let bytes = 0; bytes < size; ) {
    const next = await iterator.next();
    if (next.done) break;
    chunksRead.push(next.value);
    bytes += next.value.length;
  }
  const head = Buffer.concat(chunksRead.map((chunk) => chunk.subarray(0, size))).subarray(0, size);
  return { head, all: resume(chunksRead, iterator) };
}

async function* resume(chunksRead: readonly Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunksRead;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
