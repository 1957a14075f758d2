/** What an array and a `LongList` have in common. */
export interface ListOf<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
  slice(from?: number, to?: number): T[];
}

/** Items of a piece, as a power of two. */
const PIECE_BITS = 13;
const PIECE = 1 << PIECE_BITS;

/**
 * A list of as many items as a large site has pages, in pieces. A large array that grows would be copied as a whole,
 * which holds the event loop for too long.
 */
export class LongList<T> implements ListOf<T> {
  readonly #pieces: T[][] = [];
  #length = 0;

  /** Lists one after the other. Where only one has items, it is that one. */
  static of<T>(lists: readonly ListOf<T>[]): ListOf<T> {
    const filled = lists.filter(({ length }) => length > 0);
    if (filled.length === 1) return filled[0]!;
    const all = new LongList<T>();
    for (const list of filled) for (const item of list) all.push(item);
    return all;
  }

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    if (this.#length % PIECE === 0) this.#pieces.push([]);
    this.#pieces[this.#length >>> PIECE_BITS]!.push(item);
    this.#length += 1;
  }

  /** @param index from 0; from the end, if negative */
  at(index: number): T | undefined {
    const from0 = index < 0 ? index + this.#length : index;
    return this.#pieces[from0 >>> PIECE_BITS]?.[from0 % PIECE];
  }

  /** @param from from 0 @param to behind the last */
  slice(from = 0, to = this.#length): T[] {
    const items: T[] = [];
    const end = Math.min(to, this.#length);
    for (let index = from; index < end; ) {
      const start = index % PIECE;
      const some = this.#pieces[index >>> PIECE_BITS]!.slice(start, start + end - index);
      if (some.length === end - from) return some;
      for (const item of some) items.push(item);
      index += some.length;
    }
    return items;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const piece of this.#pieces) yield* piece;
  }
}
