/**
 * Finds the URLs of a list by their 64-bit hashes (`hashUrls`): open addressing over two typed arrays, 16 bytes a
 * URL, since a map of a million hashes would take a hundred megabytes.
 */
export class HashTable {
  readonly #lanes: Uint32Array;
  /** Index in the list, plus 1; 0 in an empty slot. */
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(hashes: Buffer) {
    this.#lanes = lanesOf(hashes);
    const count = this.#lanes.length / 2;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    this.#mask = this.#slots.length - 1;
    for (let index = 0; index < count; index++) this.#put(index);
  }

  /** Calls `tell` for every index whose hash is also in `hashes`, with the position it has there. */
  match(hashes: Buffer, tell: (index: number, position: number) => void): void {
    const theirs = lanesOf(hashes);
    const lanes = this.#lanes;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let position = 0; 2 * position < theirs.length; position++) {
      const a = theirs[2 * position]!;
      const b = theirs[2 * position + 1]!;
      for (let at = startOf(a, b) & mask; slots[at] !== 0; at = (at + 1) & mask) {
        const index = slots[at]! - 1;
        if (lanes[2 * index] === a && lanes[2 * index + 1] === b) tell(index, position);
      }
    }
  }

  #put(index: number): void {
    let at = startOf(this.#lanes[2 * index]!, this.#lanes[2 * index + 1]!) & this.#mask;
    while (this.#slots[at] !== 0) at = (at + 1) & this.#mask;
    this.#slots[at] = index + 1;
  }
}

/** Where the search begins: the lanes are products, whose high bits are the better ones. */
function startOf(a: number, b: number): number {
  const mixed = Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Bytes out of the database need not lie where numbers may. */
function lanesOf({ buffer, byteOffset, byteLength }: Buffer): Uint32Array {
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
