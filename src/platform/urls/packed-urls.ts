/** Bytes before each URL in JSONB: the type of a text, and its length in two bytes. */
const HEADER = 3;
const TEXT = 0xda;
/** Bytes before the first URL: the type of an array, and its length in four bytes. */
const ARRAY_HEADER = 5;
const ARRAY = 0xeb;

/** URLs in normal form, without duplicates, in one piece of memory. */
export class PackedUrls {
  /** The URLs as an array in SQLite's binary form of JSON (sqlite.org/jsonb.html). */
  readonly jsonb: Buffer;
  /** As `hashUrls` makes them. */
  readonly hashes: Buffer;
  readonly length: number;
  readonly #starts: Uint32Array;

  /** @param starts where each URL starts in `jsonb`, and where another one would start */
  constructor(jsonb: Buffer, starts: Uint32Array, hashes: Buffer) {
    this.jsonb = jsonb;
    this.hashes = hashes;
    this.length = starts.length - 1;
    this.#starts = starts;
  }

  at(index: number): string {
    return this.jsonb.toString("latin1", this.#starts[index]!, this.#starts[index + 1]! - HEADER);
  }

  toArray(): string[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}

/** @param urls in normal form, without duplicates */
export function packUrls(urls: readonly string[]): PackedUrls {
  const packer = new UrlPacker(urls.length, 0);
  for (const url of urls) {
    const bytes = Buffer.from(url, "latin1");
    packer.add(bytes, 0, bytes.length);
  }
  return packer.packed();
}

/** Builds PackedUrls from the bytes of URLs, without a string for each. */
export class UrlPacker {
  #jsonb: Buffer;
  readonly #starts: Uint32Array;
  readonly #hashes: Uint32Array;
  /** Open addressing: the index of a URL, plus 1; 0 in an empty slot. */
  readonly #slots: Int32Array;
  #length = 0;

  /**
   * @param most most URLs that are added
   * @param bytes how many bytes they will probably have
   */
  constructor(most: number, bytes: number) {
    this.#jsonb = Buffer.allocUnsafe(ARRAY_HEADER + bytes + HEADER * (most + 1));
    this.#starts = new Uint32Array(most + 1);
    this.#starts[0] = ARRAY_HEADER + HEADER;
    this.#hashes = new Uint32Array(2 * most);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 1)));
  }

  get length(): number {
    return this.#length;
  }

  /** Adds the URL from `from` to `to`, in ASCII, unless it is there. */
  add(bytes: Buffer, from: number, to: number): void {
    let a = 0x811c9dc5;
    let b = 0x9e3779b9;
    let at = from;
    for (; at + 1 < to; at += 2) {
      const pair = bytes[at]! | (bytes[at + 1]! << 16);
      a = Math.imul(a ^ pair, 0x01000193);
      b = Math.imul(b ^ pair, 0x85ebca6b) ^ (b >>> 13);
    }
    if (at < to) {
      const last = bytes[at]!;
      a = Math.imul(a ^ last, 0x01000193);
      b = Math.imul(b ^ last, 0x85ebca6b) ^ (b >>> 13);
    }
    const slot = this.#slotOf(bytes, from, to, a >>> 0, b >>> 0);
    if (this.#slots[slot] !== 0) return;
    const index = this.#length++;
    this.#slots[slot] = index + 1;
    this.#hashes[2 * index] = a;
    this.#hashes[2 * index + 1] = b;
    this.#append(bytes, from, to);
  }

  packed(): PackedUrls {
    const starts = this.#starts.slice(0, this.#length + 1);
    const end = starts.at(-1)! - HEADER;
    const jsonb = this.#jsonb.subarray(0, end);
    jsonb[0] = ARRAY;
    jsonb.writeUInt32BE(end - ARRAY_HEADER, 1);
    return new PackedUrls(jsonb, starts, Buffer.from(this.#hashes.buffer, 0, 8 * this.#length));
  }

  /** The slot of a URL, or the empty one where it belongs. */
  #slotOf(bytes: Buffer, from: number, to: number, a: number, b: number): number {
    const mask = this.#slots.length - 1;
    const mixed = Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const index = this.#slots[slot]! - 1;
      if (this.#hashes[2 * index] !== a || this.#hashes[2 * index + 1] !== b) continue;
      const start = this.#starts[index]!;
      const isAsLong = this.#starts[index + 1]! - HEADER - start === to - from;
      if (isAsLong && isEqual(this.#jsonb, start, bytes, from, to)) break;
    }
    return slot;
  }

  #append(bytes: Buffer, from: number, to: number): void {
    const start = this.#starts[this.#length - 1]!;
    const size = to - from;
    if (start + size + HEADER > this.#jsonb.length) {
      const larger = Buffer.allocUnsafe(2 * this.#jsonb.length + size + HEADER);
      this.#jsonb.copy(larger);
      this.#jsonb = larger;
    }
    const jsonb = this.#jsonb;
    jsonb[start - HEADER] = TEXT;
    jsonb[start - 2] = size >>> 8;
    jsonb[start - 1] = size & 0xff;
    bytes.copy(jsonb, start, from, to);
    this.#starts[this.#length] = start + size + HEADER;
  }
}

/** Whether `one` has from `at` on what `other` has between `from` and `to`. */
function isEqual(one: Uint8Array, at: number, other: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (one[index - from + at] !== other[index]) return false;
  return true;
}
