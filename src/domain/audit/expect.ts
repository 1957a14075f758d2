/** Adds a sentence where something is not what it should be. */
export function expect(problems: string[], what: string, found: unknown, expected: unknown): void {
  if (found !== expected) problems.push(`${what} is ${found}, should be ${expected}`);
}

/** What occurs more than once; null never does. */
export function duplicates(values: readonly (string | null)[]): Set<string> {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const value of values) {
    if (value === null) continue;
    if (seen.has(value)) again.add(value);
    seen.add(value);
  }
  return again;
}
