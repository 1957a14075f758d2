import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { readAhead } from "../../platform/read-ahead.ts";
import { ENCODING_BYTES, encodingOf } from "../../platform/text-encoding.ts";
import { invalidSitemap } from "./limits.ts";

/**
 * Decodes bytes to text. Invalid sequences become U+FFFD, which makes one address invalid and not the document.
 * @param charset of the Content-Type; it is asked for once the first bytes have arrived
 */
export async function* decode(
  chunks: AsyncIterable<Buffer>,
  charset: () => string | null = () => null,
): AsyncGenerator<string> {
  const { head, all } = await readAhead(chunks, ENCODING_BYTES);
  const encoding = encodingOf(head, charset());
  if (encoding === null) throw invalidSitemap("its encoding is not known");
  yield* encoding === "utf-8" ? decodeUtf8(all) : decodeBy(new TextDecoder(encoding), all);
}

async function* decodeBy(decoder: TextDecoder, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * Gives the same result as a TextDecoder and is much faster, because a streaming TextDecoder always makes two-byte
 * strings. A byte order mark stays in the text.
 */
async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = lastBoundary(bytes);
    rest = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    yield whole.toString(isAscii(whole) ? "latin1" : "utf8");
  }
  yield rest.toString("utf8");
}

/** The end of the last whole character. A character is one byte `0xxxxxxx`, or begins with a byte `11xxxxxx`. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
