/** Length in Unicode code points, as JSON Schema counts it. A lone surrogate counts as one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 1; i < text.length; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) pairs += 1;
  }
  return text.length - pairs;
}

/** Whether it has a C0 or C1 control character or DEL, which no name and no URL may have. */
export function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}

/**
 * Whether it can be stored and searched for unchanged: no U+0000, which PostgreSQL refuses, and no lone surrogate, which
 * has no form in UTF-8, so that different texts would become equal.
 */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}

/** Whether it has a character that can be seen: not only blanks, controls and characters without a width. */
export function hasVisible(text: string): boolean {
  return /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Cut to `max` code points, so that no character is cut in two. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("");
}

/**
 * Parses a URL; null if it is invalid. `URL.canParse` avoids the cost of an exception, but is used for ASCII only. On
 * Node.js 22 its compiled form reads Latin-1 text as UTF-8, so that it refuses `https://bücher.example` and accepts
 * invalid text.
 */
export function parseUrl(text: string): URL | null {
  if (/^[\x20-\x7e]*$/.test(text) && URL.canParse?.(text) === false) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** A text without characters that could end a line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** A text with a full stop, where nothing ends it as a sentence, so that another sentence can follow. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
