import { encodingOf, xmlEncodingIn } from "../../platform/text-encoding.ts";

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
  return decoderOf(bytes, charset, null).decode(bytes);
}

/** A declaration that nobody knows counts as none. */
function decoderOf(head: Buffer, charset: string | null, declared: string | null): TextDecoder {
  return new TextDecoder(encodingOf(head, charset, declared) ?? "utf-8");
}

/** The encoding in the XML declaration or in `meta`. */
function declaredIn(head: Buffer): string | null {
  const text = head.toString("latin1", 0, DECLARED_WITHIN).replace(/<!--.*?-->/gs, "");
  const [, byMeta] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text) ?? [];
  return xmlEncodingIn(text) ?? byMeta ?? null;
}
