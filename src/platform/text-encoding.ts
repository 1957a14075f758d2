/** Bytes that are enough to find out the encoding of a document. */
export const ENCODING_BYTES = 256;

/**
 * The encoding of a document, as TextDecoder names it. A byte order mark decides, since nothing else begins with it (RFC 7303
 * section 3); then the charset of the Content-Type, then what the document declares (XML 1.0 appendix F, HTML standard section
 * 13.2.3.2). Otherwise it is UTF-8, or UTF-16 if every other byte is zero.
 * @param head the first bytes
 * @param charset of the Content-Type; one that is not known counts as none
 * @param declared the encoding that the document names, if it does
 * @returns null if it declares an encoding that is not known
 */
export function encodingOf(
  head: Uint8Array,
  charset: string | null = null,
  declared: string | null = xmlEncodingIn(asciiOf(head)),
): string | null {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && head[2] === 0xbf) return "utf-8";
  const wide = wideEncodingOf(head);
  const sent = labelOf(charset ?? "");
  // A charset of UTF-16 without a mark or zeros is wrong: addresses and markup have ASCII.
  if (sent !== null && !sent.startsWith("utf-16")) return sent;
  if (wide !== null) return wide;
  // A declaration that was readable as ASCII is in no text of UTF-16.
  return declared === null || /^utf-16/i.test(declared) ? "utf-8" : labelOf(declared);
}

/** The encoding in an XML declaration. @param text begins as the document does */
export function xmlEncodingIn(text: string): string | null {
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(text)?.[1] ?? null;
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
