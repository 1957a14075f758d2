/** The first `size` bytes (fewer at the end), and the whole sequence from its beginning. */
export async function readAhead(
  chunks: AsyncIterable<Buffer>,
  size: number,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  for (let bytes = 0; bytes < size; ) {
    const next = await iterator.next();
    if (next.done) break;
    taken.push(next.value);
    bytes += next.value.length;
  }
  const head = Buffer.concat(taken.map((chunk) => chunk.subarray(0, size))).subarray(0, size);
  return { head, all: resume(taken, iterator) };
}

async function* resume(taken: readonly Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* taken;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
