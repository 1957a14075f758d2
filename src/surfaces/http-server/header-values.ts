import type { IncomingMessage } from "node:http";

/**
 * Every value of a header as it was received, in order. `headers` joins some values and drops others. Node's own
 * `headersDistinct` makes an object of all headers, which is slow.
 * @param name in lower case
 */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const key = rawHeaders[at]!;
    if (key.length === name.length && key.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}
