/** Length as people and JSON Schema count it: in Unicode code points. */
export function codePoints(text: string): number {
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) surrogates += 1;
  return text.length - surrogates;
}

/** C0 and C1 controls and DEL: never part of a name or a URL, and NUL is refused by PostgreSQL. */
export function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}

/** Cut to `max` code points, so that no character is cut in two. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("");
}
