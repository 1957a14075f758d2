import { codePoints } from "./text.ts";

/**
 * Makes a self-chosen name safe to show: without invisible characters, changes of text direction, line breaks, and
 * stacks of combining marks that cover other lines.
 * @returns null when it has more than `max` code points; "" when nothing visible is left
 */
export function displayName(text: string, max: number): string | null {
  // Spaces are replaced first, since some are control characters, and collapsed last, since what was between may be gone.
  const name = text
    .replace(/[\s\u2800]/g, " ")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .replace(/ +/g, " ")
    .trim();
  return codePoints(name) <= max ? name : null;
}
