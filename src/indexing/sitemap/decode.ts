import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { readAhead } from "../../platform/read-ahead.ts";
import { invalidSitemap } from "./limits.ts";

/**
 * Decodes bytes to text. The encoding comes from the byte order mark, else from the XML declaration, else it is UTF-8
 * (XML 1.0 appendix F). Invalid sequences become U+FFFD, which damages one address and not the document.
 */
export async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const { head, all } = await readAhead(chunks, 256);
  const decoder = decoderOf(encodingOf(head));
  yield* decoder.encoding === "utf-8" ? decodeUtf8(all) : decodeBy(decoder, all);
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

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0x3c && head[1] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] === 0x3c) return "utf-16be";
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    head.toString("latin1"),
  );
  const name = declared?.[1]?.toLowerCase() ?? "utf-8";
  // The declaration was readable as ASCII, so the text cannot be UTF-16.
  return name.startsWith("utf-16") ? "utf-8" : name;
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw invalidSitemap("its encoding is not known");
  }
}
