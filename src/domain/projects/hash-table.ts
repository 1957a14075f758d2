/**
 * Finds the URLs of a list by their 64-bit hashes (`hashUrls`): open addressing over two typed arrays, because a map of a
 * million hashes would take too much memory.
 */
export class HashTable {
  readonly #words: Uint32Array;
  /** Index in the list, plus 1; 0 in an empty slot. */
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(hashes: Buffer) {
    this.#words = wordsOf(hashes);
    const count = this.#words.length / 2;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    this.#mask = this.#slots.length - 1;
    for (let index = 0; index < count; index++) this.#put(index);
  }

  /** Calls `onMatch` for every index whose hash is also in `hashes`, with its position there. */
  match(hashes: Buffer, onMatch: (index: number, position: number) => void): void {
    const theirs = wordsOf(hashes);
    const words = this.#words;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let position = 0; 2 * position < theirs.length; position++) {
      const a = theirs[2 * position]!;
      const b = theirs[2 * position + 1]!;
      for (let slot = startOf(a, b) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const index = slots[slot]! - 1;
        if (words[2 * index] === a && words[2 * index + 1] === b) onMatch(index, position);
      }
    }
  }

  #put(index: number): void {
    let slot = startOf(this.#words[2 * index]!, this.#words[2 * index + 1]!) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = index + 1;
  }
}

/** The slot where a search begins. It mixes in the high bits, since hashes are products, whose low bits are poor. */
function startOf(a: number, b: number): number {
  const mixed = Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Hashes as pairs of 32-bit words. Copies them, since bytes from the database may not be aligned. */
function wordsOf({ buffer, byteOffset, byteLength }: Buffer): Uint32Array {
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
