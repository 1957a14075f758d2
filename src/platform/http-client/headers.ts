/** undici's headers as a plain object: lower-case names, repeated ones joined by ", ". */
export function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, [value].flat().join(", ")]));
}
