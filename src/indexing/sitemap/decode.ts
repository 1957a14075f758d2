import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { invalidSitemap } from "./limits.ts";
import { readAhead } from "./read-ahead.ts";

/**
 * Bytes as text. The encoding is the byte order mark's, else the XML declaration's, else UTF-8
 * (XML 1.0 appendix F). Broken sequences become U+FFFD, which spoils one address and not the document.
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
 * What a TextDecoder answers, at a fifth of its cost: that one makes two-byte strings of everything streamed.
 * A byte order mark stays in the text.
 */
async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = lastBoundary(bytes);
    held = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    yield whole.toString(isAscii(whole) ? "latin1" : "utf8");
  }
  yield held.toString("utf8");
}

/** Where a cut changes nothing: not inside a character, which its first byte begins (`11xxxxxx`). */
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
  // Readable as ASCII, so it cannot be UTF-16, whatever it declares.
  return name.startsWith("utf-16") ? "utf-8" : name;
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw invalidSitemap("its encoding is not known");
  }
}
