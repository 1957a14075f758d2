/** Path patterns of robots.txt (RFC 9309 section 2.2). */

/**
 * Normalises a pattern or an address: characters that are not ASCII or not allowed in URLs are escaped, escapes of unreserved
 * characters are decoded, and the others are upper case (RFC 9309 section 2.2.2).
 */
export function canonicalPath(text: string): string {
  if (/^[\w\-.~/*$?=&,;:@!+()]*$/.test(text)) return text;
  return text
    .replace(/[^\x21-\x7e]|["<>\\^`{|}']/gu, (character) =>
      Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    )
    .replace(/%[\da-f]{2}/gi, (triplet) => {
      const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
      return /[\w\-.~]/.test(character) ? character : triplet.toUpperCase();
    });
}

/**
 * `*` matches any characters, and a `$` at the end the end. The first match of each part is enough, so nothing backtracks.
 * @param pattern in canonical form, as `address`: path and query of a URL
 */
export function matchesPath(pattern: string, address: string): boolean {
  const isToEnd = pattern.endsWith("$");
  const parts = (isToEnd ? pattern.slice(0, -1) : pattern).split("*");
  const last = parts.pop()!;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (address.startsWith(part) ? 0 : -1) : address.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (isToEnd) {
    const isWhole = parts.length > 0 || address.length === last.length;
    return isWhole && address.length - last.length >= at && address.endsWith(last);
  }
  return parts.length === 0 ? address.startsWith(last) : address.indexOf(last, at) !== -1;
}
