import { textOf } from "./text-of.ts";

/** An array of a JSON document, as it came: its grammar is not checked. What walks over a document finds nothing inside. */
export class RawList {
  readonly length: number;
  /** Elements, and what is inside them. */
  readonly values: number;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>, values: number) {
    this.#bytes = bytes;
    this.length = bytes.length;
    this.values = values;
  }

  /** The text of the array with its brackets. Empty after it was given to another thread. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  /** The array. @throws SyntaxError, TypeError (not UTF-8) */
  toJSON(): unknown {
    return JSON.parse(textOf(this.bytes));
  }
}

/** The value as JSON, with another text for each list that was kept as it came. */
export function stringifyWith(textFor: (list: RawList) => string, value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, inner) {
    const own = this[name];
    return own instanceof RawList ? textFor(own) : inner;
  });
}

/** The characters of the value as JSON; the bytes of a list that was kept as it came. */
export function jsonLength(value: unknown): number {
  let listBytes = 0;
  const text = stringifyWith((list) => {
    listBytes += list.length;
    return "";
  }, value);
  return text.length + listBytes;
}
