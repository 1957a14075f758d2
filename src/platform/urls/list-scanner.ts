import { isUtf8 } from "node:buffer";
import { RawList } from "../json/raw-list.ts";
import { SIZES } from "../sizes.ts";
import { codePoints, cut } from "../text.ts";
import { type PackedUrls, UrlPacker } from "./packed-urls.ts";
import { EXAMPLE_LENGTH, EXAMPLES, normaliseUrl, type UrlList } from "./urls.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;
const END = 0x5d;

/** What a byte may be part of, in a URL in normal form; a slash, which no dot may follow, is none of it. */
const IN_LABEL = 1;
const IN_PATH = 2;
const IN_QUERY = 4;
const KINDS = kindsOf({ "a-z0-9": IN_LABEL, "\\w\\-.~!$&()*+,;=:@": IN_PATH | IN_QUERY, "?": IN_QUERY });
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** A list of URLs as it came, of which no strings are made. */
export class ScannedUrls extends RawList {
  readonly list: UrlList<PackedUrls>;

  constructor({ bytes, values }: RawList, list: UrlList<PackedUrls>) {
    super(bytes, values);
    this.list = list;
  }
}

/**
 * Reads a JSON array of texts as `JSON.parse` and `parseUrlList` would, straight from its bytes.
 * @returns null for anything but 1 to 20,000 texts of allowed length in UTF-8
 */
export function scanUrls(array: RawList): ScannedUrls | null {
  const { buffer, byteOffset, length } = array.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  const list = isUtf8(bytes) ? new Scanner(bytes).scan() : null;
  return list && new ScannedUrls(array, list);
}

class Scanner {
  /** Behind the opening bracket. */
  #at = 1;
  readonly #bytes: Buffer;
  readonly #packer: UrlPacker;
  readonly #invalidExamples: string[] = [];
  #items = 0;
  #invalid = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#packer = new UrlPacker(SIZES.itemsPerRequest, bytes.length);
  }

  scan(): UrlList<PackedUrls> | null {
    const bytes = this.#bytes;
    do {
      this.#skipSpace();
      if (bytes[this.#at] !== QUOTE || this.#items === SIZES.itemsPerRequest) return null;
      this.#at += 1;
      this.#items += 1;
      const end = plainEnd(bytes, this.#at);
      if (end !== 0 && end - this.#at <= SIZES.urlLength) {
        this.#packer.add(bytes, this.#at, end);
        this.#at = end + 1;
      } else if (!this.#addOther()) return null;
      this.#skipSpace();
    } while (bytes[this.#at++] === COMMA);
    if (bytes[this.#at - 1] !== END || this.#at !== bytes.length) return null;
    const duplicates = this.#items - this.#invalid - this.#packer.length;
    return {
      accepted: this.#packer.packed(),
      duplicates,
      invalid: this.#invalid,
      invalidExamples: this.#invalidExamples,
    };
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1;
  }

  /** An entry that is not in normal form, or is none. @returns whether it is a text of allowed length */
  #addOther(): boolean {
    const text = this.#text();
    if (text === null || codePoints(text) > SIZES.urlLength) return false;
    const url = normaliseUrl(text);
    if (url !== null) {
      const ascii = Buffer.from(url, "latin1");
      this.#packer.add(ascii, 0, ascii.length);
      return true;
    }
    this.#invalid += 1;
    if (this.#invalidExamples.length < EXAMPLES) this.#invalidExamples.push(cut(text, EXAMPLE_LENGTH));
    return true;
  }

  /** The text that begins here, or null when it is none; goes on after it. */
  #text(): string | null {
    const start = this.#at;
    let isEscaped = false;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at]!;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        isEscaped = true;
        this.#at += 1;
      }
      if (byte < 0x20) return null;
    }
    if (this.#at >= this.#bytes.length) return null;
    this.#at += 1;
    if (!isEscaped) return this.#bytes.toString("utf8", start, this.#at - 1);
    try {
      return JSON.parse(this.#bytes.toString("utf8", start - 1, this.#at)) as string;
    } catch {
      return null;
    }
  }
}

/**
 * Where the URL that starts here ends, if it is in normal form and a quotation mark follows; else 0. Knows less than
 * `normaliseUrl`: an ASCII host of several labels, the last beginning with a letter; no port, no percent-escape, no `/.`.
 */
function plainEnd(bytes: Uint8Array, start: number): number {
  // "http", and "s" or nothing, and "://"
  if (bytes[start] !== 0x68 || bytes[start + 1] !== 0x74 || bytes[start + 2] !== 0x74 || bytes[start + 3] !== 0x70)
    return 0;
  let at = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  if (bytes[at] !== 0x3a || bytes[at + 1] !== SLASH || bytes[at + 2] !== SLASH) return 0;
  at += 3;
  let label = at;
  let labels = 0;
  for (; ; at++) {
    const byte = bytes[at]!;
    if (KINDS[byte]! & IN_LABEL) continue;
    if (byte === 0x2d) {
      // Also before a label in Punycode.
      if (at === label || bytes[at + 1] === 0x2d) return 0;
      continue;
    }
    if (at === label) return 0;
    if (byte === SLASH) break;
    if (byte !== DOT) return 0;
    label = at + 1;
    labels += 1;
  }
  if (labels === 0 || bytes[label]! < 0x61) return 0;
  let kind = IN_PATH;
  for (;;) {
    while (KINDS[bytes[at]!]! & kind) at++;
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    at += 1;
    if (byte === SLASH && bytes[at] !== DOT) continue;
    // The question mark of an empty query is dropped.
    if (byte !== QUESTION || bytes[at] === QUOTE) return 0;
    kind = IN_QUERY;
  }
}

/** @param kinds by the contents of a character class */
function kindsOf(kinds: Readonly<Record<string, number>>): Uint8Array {
  const table = new Uint8Array(256);
  for (const [characters, kind] of Object.entries(kinds)) {
    const pattern = new RegExp(`[${characters}]`);
    for (let byte = 0; byte < 0x80; byte++) if (pattern.test(String.fromCharCode(byte))) table[byte]! |= kind;
  }
  return table;
}
