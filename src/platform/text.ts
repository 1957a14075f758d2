/** Length as people and JSON Schema count it: in Unicode code points. A surrogate without its other half is one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 1; i < text.length; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) pairs += 1;
  }
  return text.length - pairs;
}

/** C0 and C1 controls and DEL: never part of a name or a URL, and NUL is refused by PostgreSQL. */
export function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}

/**
 * Whether it can be stored and looked for as it is: without U+0000, which PostgreSQL refuses, and without halves of
 * characters, which have no form in UTF-8, so that different texts would become the same.
 */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}

/** Cut to `max` code points, so that no character is cut in two. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("");
}

/**
 * The URL, or null. `URL.canParse` spares the exception, but once compiled Node 20 hands it Latin-1 text as if it
 * were UTF-8, so that it takes `https://bücher.example` for invalid, and invalid text for valid: it is asked
 * about ASCII only.
 */
export function parseUrl(text: string): URL | null {
  if (/^[\x20-\x7e]*$/.test(text) && !URL.canParse(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
