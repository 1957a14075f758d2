/** Where a document may declare its encoding (HTML standard, section 13.2.3.2). */
const DECLARED_WITHIN = 1_024;

/**
 * Decodes HTML as it arrives. What has arrived before a failure is decoded too.
 * @param charset of the header Content-Type
 */
export async function* decodeHtml(chunks: AsyncIterable<Buffer>, charset: string | null): AsyncGenerator<string> {
  let head: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  try {
    for await (const chunk of chunks) {
      if (decoder) yield decoder.decode(chunk, { stream: true });
      else {
        head = Buffer.concat([head, chunk]);
        if (head.length < DECLARED_WITHIN) continue;
        decoder = decoderOf(head, charset, declaredIn(head));
        yield decoder.decode(head, { stream: true });
      }
    }
  } finally {
    if (!decoder) yield decoderOf(head, charset, declaredIn(head)).decode(head);
  }
}

/** Decodes plain text. @param charset of the header Content-Type */
export function decodeText(bytes: Buffer, charset: string | null): string {
  return decoderOf(bytes, charset).decode(bytes);
}

/**
 * UTF-16 by its byte order mark or its zero bytes, which ASCII at the beginning has in no other encoding; then the
 * header, then the document's own declaration; else UTF-8. A name of UTF-16 without either sign is wrong.
 */
function decoderOf(head: Buffer, ...names: readonly (string | null)[]): TextDecoder {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return new TextDecoder("utf-16le");
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return new TextDecoder("utf-16be");
  const isMarked = head.subarray(0, 3).equals(UTF_8_MARK);
  const known = isMarked ? [] : names.map(decoderNamed);
  return known.find((decoder) => decoder !== null && !decoder.encoding.startsWith("utf-16")) ?? new TextDecoder();
}

const UTF_8_MARK = Buffer.from("\uFEFF");

function decoderNamed(name: string | null): TextDecoder | null {
  try {
    return name === null ? null : new TextDecoder(name);
  } catch {
    return null;
  }
}

/** The encoding in the XML declaration or in `meta`. */
function declaredIn(head: Buffer): string | null {
  const text = head.toString("latin1", 0, DECLARED_WITHIN).replace(/<!--.*?-->/gs, "");
  const [, byXml] = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(text) ?? [];
  const [, byMeta] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text) ?? [];
  return byXml ?? byMeta ?? null;
}
