/** The first `size` bytes (fewer at the end), and the whole sequence from its beginning. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  size: number,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < size) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head: head.subarray(0, size), all: resume(head, iterator) };
}

async function* resume(head: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
