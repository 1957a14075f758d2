import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Match, Route } from "./router.ts";

/** The representation that the path or `Accept` asks for; null is JSON. */
export function representationFor({ operation, representation }: Match, accept: string | undefined) {
  if (representation || !accept) return representation;
  const asked = qualities(accept);
  const json = asked.get("application/json") ?? 0;
  const wanted = (operation.representations ?? []).filter(({ mediaType }) => (asked.get(mediaType) ?? 0) > json);
  return (wanted[0] ?? null) as Route["representation"];
}

/** Streams text with backpressure. An error before the first piece is thrown, so that it can still be answered. */
export async function sendStream(
  req: IncomingMessage,
  res: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncIterable<string>,
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

async function* from(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncIterable<string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Media types named in full, with their q (RFC 9110 section 12.4.2); ranges such as `*` are ignored. */
function qualities(accept: string): Map<string, number> {
  return new Map(
    accept.split(",").map((part) => {
      const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, quality ? Number(quality.slice(2)) || 0 : 1];
    }),
  );
}
