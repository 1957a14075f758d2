/**
 * The name of a list that somebody probably meant by another one: `drip_days` by `dripDay`; null where none is near.
 * @param most letters that may differ; never more than a third of them
 */
export function nearestName(
  written: string,
  names: readonly string[],
  most: number = Number.POSITIVE_INFINITY,
): string | null {
  const given = letters(written.slice(0, MAX_LENGTH));
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(given, letters(name)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (!best) return null;
  return best.distance <= Math.min(most, Math.max(given.length, best.name.length) / 3) ? best.name : null;
}

const MAX_LENGTH = 64;

/** Spellings differ in case and separators first of all. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[\W_]+/g, "");
}

/** Half an edit where one begins with the other, as `sitemap` and `sitemap_url`; else Levenshtein's distance. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (a.startsWith(b) || b.startsWith(a))) return 0.5;
  return levenshtein(a, b);
}

/** The least number of letters that are inserted, removed or replaced to make one word the other. */
function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line++) {
    const next = [line];
    for (let column = 1; column <= b.length; column++) {
      const replaced = row[column - 1]! + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
