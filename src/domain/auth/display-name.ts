import { codePoints } from "../../platform/text.ts";

/**
 * A name that somebody gives themselves, fit to be shown: nothing in it is invisible, turns the text around it, breaks
 * the line, or piles up over the lines beside it.
 * @returns null when it has more than `max` code points; "" when nothing is left to be seen
 */
export function displayName(text: string, max: number): string | null {
  // Spaces first and last: some of them are controls, and what stood between two may be gone.
  const name = text
    .replace(/[\s\u2800]/g, " ")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .replace(/ +/g, " ")
    .trim();
  return codePoints(name) <= max ? name : null;
}
