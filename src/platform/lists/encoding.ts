/** Bytes that are enough to find out the encoding of a document. */
export const ENCODING_BYTES = 256;

/**
 * The encoding of a document, as TextDecoder names it. A byte order mark decides, since nothing else begins with it (RFC 7303
 * section 3); then the charset of the Content-Type, then the XML declaration (XML 1.0 appendix F). Otherwise it is UTF-8, or
 * UTF-16 if every other byte is zero.
 * @param head the first bytes
 * @returns null if the XML declaration names an encoding that is not known
 */
export function encodingOf(head: Uint8Array, contentType = ""): string | null {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && head[2] === 0xbf) return "utf-8";
  const wide = wideEncodingOf(head);
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? "";
  const sent = labelOf(charset);
  if (sent !== null) return sent.startsWith("utf-16") && wide !== null ? wide : sent;
  if (wide !== null) return wide;
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(asciiOf(head))?.[1] ?? "utf-8";
  // The declaration was readable as ASCII, so the text cannot be UTF-16.
  return /^utf-16/i.test(declared) ? "utf-8" : labelOf(declared);
}

/** UTF-16, by the zeros that its ASCII characters have; null: there are too few, or on both sides. */
function wideEncodingOf(head: Uint8Array): string | null {
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2]! += 1;
  const [high, low] = zeros as [number, number];
  const least = Math.max(1, head.length / 8);
  if (low > least && high * 4 < low) return "utf-16le";
  return high > least && low * 4 < high ? "utf-16be" : null;
}

/** The name of the encoding that a label stands for; null: it is not known. */
function labelOf(label: string): string | null {
  try {
    return label === "" ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, ENCODING_BYTES));
}
