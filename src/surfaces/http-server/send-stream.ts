import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

type Piece = string | Uint8Array;

/** Streams text or bytes with backpressure. An error before the first piece is thrown, so that it can still be answered. */
export async function sendStream(
  req: IncomingMessage,
  res: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncIterable<Piece>,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  res.writeHead(200, headers);
  if (req.method === "HEAD") {
    await iterator.return?.();
    res.end();
    return;
  }
  await pipeline(Readable.from(from(first, iterator)), res);
}

async function* from(first: IteratorResult<Piece>, rest: AsyncIterator<Piece>): AsyncIterable<Piece> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
