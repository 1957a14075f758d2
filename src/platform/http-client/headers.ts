/** Names come in lower case; repeated ones are joined. */
export function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, [value].flat().join(", ")]));
}
