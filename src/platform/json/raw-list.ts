import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

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

  /** The elements, each parsed when it is asked for. @throws SyntaxError, TypeError (not UTF-8) */
  *elements(): Generator<unknown> {
    const bytes = Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    if (!isUtf8(bytes)) throw new TypeError("a list is not UTF-8");
    if (bytes.at(-1) !== CLOSE_ARRAY) throw new SyntaxError("a list ends with another bracket");
    let depth = 0;
    let start = 1;
    for (let at = 1; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) at = endOfString(bytes, at + 1);
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
      else if (byte === COMMA && depth === 0) {
        yield JSON.parse(bytes.toString("utf8", start, at));
        start = at + 1;
      }
    }
    const last = bytes.toString("utf8", start, bytes.length - 1);
    if (start > 1 || /[^ \t\r\n]/.test(last)) yield JSON.parse(last);
  }

  /** The array. @throws SyntaxError, TypeError (not UTF-8) */
  toJSON(): unknown[] {
    return [...this.elements()];
  }
}

/** The position of the quotation mark that ends a string. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at += 1;
  return at;
}

/** The value as JSON, with another text for each list that was kept as it came. */
export function stringifyWith(textFor: (list: RawList) => string, value: unknown): string {
  return JSON.stringify(replaceLists(value, textFor));
}

/** The value as JSON, in pieces: of a list that was kept as it came one for each element, so that it is in memory once. */
export function* jsonPieces(value: unknown): Generator<string> {
  const lists = new Map<string, RawList>();
  // Nobody can guess it.
  const placeholder = randomUUID();
  const text = stringifyWith((list) => {
    const name = `${placeholder} ${lists.size}`;
    lists.set(`"${name}"`, list);
    return name;
  }, value);
  let at = 0;
  for (const [name, list] of lists) {
    const next = text.indexOf(name, at);
    yield text.slice(at, next);
    yield* piecesOf(list);
    at = next + name.length;
  }
  yield text.slice(at);
}

function* piecesOf(list: RawList): Generator<string> {
  let before = "[";
  for (const element of list.elements()) {
    yield before + JSON.stringify(element);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
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

/** A copy with texts for lists. `JSON.stringify` alone would make each list before it asks what stands for it. */
function replaceLists(value: unknown, textFor: (list: RawList) => string): unknown {
  if (value instanceof RawList) return textFor(value);
  if (Array.isArray(value)) return value.map((inner) => replaceLists(inner, textFor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceLists(inner, textFor)]));
}
