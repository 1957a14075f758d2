/** Adds a sentence to the problems if a value is not the expected one. */
export function expect(problems: string[], what: string, found: unknown, expected: unknown): void {
  if (found !== expected) problems.push(`${what} is ${found}, should be ${expected}`);
}

/** The values that occur more than once, except null. */
export function duplicates(values: readonly (string | null)[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const value of values) {
    if (value === null) continue;
    if (seen.has(value)) repeated.add(value);
    seen.add(value);
  }
  return repeated;
}
