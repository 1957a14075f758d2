import { randomUUID } from "node:crypto";
import { RawList } from "./raw-list.ts";
import { textOf } from "./text-of.ts";

/** The most that a document may hold. */
export interface JsonBounds {
  /** Arrays and objects inside each other. */
  readonly depth: number;
  /** Elements of arrays, and arrays and objects themselves. */
  readonly values: number;
  /** Members of objects. */
  readonly members: number;
  /** Bytes of a member's name. */
  readonly nameBytes: number;
  /** Bytes, without a list that is kept as it came. */
  readonly bytes: number;
}

/** A member whose array is kept as it came, as a `RawList`, if it has at least so many bytes: the first one in a document. */
export interface KeptList {
  readonly name: string;
  readonly bytes: number;
  /** The most bytes between two commas or brackets of it: of a text, a number or blanks. */
  readonly elementBytes: number;
}

/** What is bounded. */
type Bound = keyof JsonBounds | "elementBytes";

/** A document holds more of something than it may. */
export class JsonTooLarge extends Error {
  readonly bound: Bound;
  readonly most: number;

  constructor(bound: Bound, most: number) {
    super(`a JSON document has more than ${most} (${bound})`);
    this.bound = bound;
    this.most = most;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads a JSON document (RFC 8259) piece by piece as it comes, and refuses one that holds too much at the byte where it does,
 * so that a refused document has cost what came before and no more. It counts, and leaves the grammar to `JSON.parse`.
 */
export class JsonReader {
  readonly #bounds: JsonBounds;
  readonly #kept: KeptList | null;
  readonly #expected: number;
  /** Stands for the list in the text that is parsed. Nobody can guess it. */
  #placeholder = "";
  readonly #text: Buffer[] = [];
  #textBytes = 0;
  #list: GrowingBytes | null = null;
  #rawList: RawList | null = null;
  #hadList = false;
  #depth = 0;
  #values = 0;
  #members = 0;
  #listDepth = 0;
  #valuesBefore = 0;
  /** Bytes of the pieces before this one, and where the list's last comma or bracket is. */
  #before = 0;
  #elementAt = 0;
  #inString = false;
  /** Whether the piece before ended with a backslash that escapes the next byte. */
  #isEscaped = false;
  /** Bytes of the last string, and the string itself while it is no longer than the list's name. */
  #stringBytes = 0;
  #string = "";
  /** Whether the list's name and a colon came last. */
  #awaitsList = false;

  /** @param expected bytes of the whole document, where the sender has said */
  constructor(bounds: JsonBounds, kept: KeptList | null = null, expected = 0) {
    this.#bounds = bounds;
    this.#kept = kept;
    this.#expected = expected;
  }

  /** Bytes of the document, without a list that is kept. */
  get bytes(): number {
    return this.#textBytes;
  }

  /** @throws JsonTooLarge */
  write(piece: Buffer): void {
    let kept = 0;
    for (let at = 0; at < piece.length; at++) {
      if (this.#inString) {
        at = this.#endOfString(piece, at);
        continue;
      }
      const byte = piece[at]!;
      if (byte <= SPACE) continue;
      if (byte === OPEN_ARRAY && this.#awaitsList) {
        this.#keep(piece.subarray(kept, at));
        kept = at;
        this.#beginList(this.#before + at);
      }
      this.#awaitsList = false;
      if (this.#list && isStructure(byte)) this.#beginElement(this.#before + at);
      if (byte === QUOTE) this.#beginString();
      else if (byte === COMMA) this.#countValue();
      else if (byte === COLON) this.#countMember();
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#open();
      else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.#depth-- === this.#listDepth && this.#list) {
        this.#keep(piece.subarray(kept, at + 1));
        kept = at + 1;
        this.#endList();
      }
    }
    this.#keep(piece.subarray(kept));
    this.#before += piece.length;
    if (this.#list) this.#refuseLongElement(this.#before);
  }

  /** The document. @throws SyntaxError, TypeError (not UTF-8) */
  end(): unknown {
    const text = textOf(this.#text.length === 1 ? this.#text[0]! : Buffer.concat(this.#text));
    const list = this.#rawList;
    return list ? JSON.parse(text, (_, value) => (value === this.#placeholder ? list : value)) : JSON.parse(text);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#list) {
      this.#list.add(bytes);
      return;
    }
    this.#text.push(bytes);
    this.#textBytes += bytes.length;
    this.#refuseOver("bytes", this.#textBytes);
  }

  #beginString(): void {
    this.#inString = true;
    this.#stringBytes = 0;
    this.#string = "";
  }

  /** Goes on in a string. @returns the position of the quotation mark that ends it, or of the last byte */
  #endOfString(piece: Buffer, start: number): number {
    let from = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      from += 1;
    }
    let end = piece.indexOf(QUOTE, from);
    while (end !== -1 && isEscaped(piece, from, end)) end = piece.indexOf(QUOTE, end + 1);
    const stop = end === -1 ? piece.length : end;
    this.#stringBytes += stop - start;
    if (this.#stringBytes <= (this.#kept?.name.length ?? 0)) this.#string += piece.toString("latin1", start, stop);
    if (end === -1) {
      this.#isEscaped = isEscaped(piece, from, piece.length);
      return piece.length - 1;
    }
    this.#inString = false;
    return end;
  }

  #open(): void {
    this.#countValue();
    this.#depth += 1;
    this.#refuseOver("depth", this.#depth);
  }

  #beginElement(at: number): void {
    this.#refuseLongElement(at);
    this.#elementAt = at;
  }

  #refuseLongElement(at: number): void {
    const most = this.#kept!.elementBytes;
    if (at - this.#elementAt > most) throw new JsonTooLarge("elementBytes", most);
  }

  #countValue(): void {
    this.#values += 1;
    this.#refuseOver("values", this.#values);
  }

  #countMember(): void {
    this.#members += 1;
    this.#refuseOver("members", this.#members);
    this.#refuseOver("nameBytes", this.#stringBytes);
    const isName = this.#string === this.#kept?.name && this.#stringBytes === this.#string.length;
    this.#awaitsList = isName && !this.#hadList;
  }

  #beginList(at: number): void {
    this.#hadList = true;
    this.#elementAt = at;
    this.#list = new GrowingBytes(this.#expected);
    this.#listDepth = this.#depth + 1;
    this.#valuesBefore = this.#values;
  }

  #endList(): void {
    const bytes = this.#list!.end();
    this.#list = null;
    if (bytes.length < this.#kept!.bytes) {
      this.#keep(bytes);
      return;
    }
    this.#rawList = new RawList(bytes, this.#values - this.#valuesBefore);
    this.#placeholder = randomUUID();
    this.#keep(Buffer.from(`"${this.#placeholder}"`));
  }

  #refuseOver(bound: keyof JsonBounds, count: number): void {
    const most = this.#bounds[bound];
    if (count > most) throw new JsonTooLarge(bound, most);
  }
}

/** Whether a byte outside of texts separates values. */
function isStructure(byte: number): boolean {
  return byte === COMMA || byte === COLON || [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT].includes(byte);
}

/** What a text of JSON is. @param revive as of `JSON.parse` @throws JsonTooLarge, SyntaxError */
export function parseJsonText(
  text: string,
  bounds: Omit<JsonBounds, "bytes">,
  revive?: (name: string, value: unknown) => unknown,
): unknown {
  new JsonReader({ ...bounds, bytes: Number.POSITIVE_INFINITY }).write(Buffer.from(text));
  return JSON.parse(text, revive);
}

/** Whether the byte at `end` follows an odd number of backslashes. @param from where the string, or what is left of it, begins */
function isEscaped(bytes: Buffer, from: number, end: number): boolean {
  let before = end;
  while (before > from && bytes[before - 1] === BACKSLASH) before -= 1;
  return (end - before) % 2 === 1;
}

/** Bytes that come in pieces, in memory of their own, so that they can be given to another thread. */
class GrowingBytes {
  #memory: Buffer<ArrayBuffer>;
  #length = 0;

  /** @param expected their number at most, or 0 when it is not known */
  constructor(expected: number) {
    this.#memory = Buffer.allocUnsafeSlow(expected);
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#memory.length));
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    piece.copy(this.#memory, this.#length);
    this.#length = length;
  }

  end(): Buffer<ArrayBuffer> {
    return this.#memory.subarray(0, this.#length);
  }
}
