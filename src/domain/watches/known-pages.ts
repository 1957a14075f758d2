/** What is known of a page. */
export const PAGE_STATES = ["taken", "waits_as_new", "waits_as_changed", "gone", "gone_untaken"] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** Words of 32 bits a page: its hash in two, when it was last modified in seconds, and its state with the minute of waiting. */
const WORDS = 4;
const STATE_BITS = 3;

/** Pages in one part; it is one row, which is written as a whole. */
const PART_PAGES = 4_096;

/** Number of parts, a power of two, that so many pages need. */
export function partsFor(pages: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(pages / PART_PAGES)));
}

/** What is known of one page. */
export interface KnownPage {
  /** Seconds since 1970; 0: it never had a date. */
  readonly modified: number;
  readonly state: PageState;
  /** Minutes since 1970 (service time) at which it began to wait; otherwise 0. */
  readonly since: number;
}

/**
 * The pages that are known of a watch, found by the 64-bit hash of their URLs (`hashUrls`): 16 bytes a page, in typed arrays, since a
 * sitemap may list a million.
 */
export class KnownPages {
  #words: Uint32Array<ArrayBuffer>;
  #count: number;
  /** Index of a page plus 1, by its hash; 0 in an empty slot. */
  #slots: Uint32Array;
  /** Parts whose pages have changed since they were read. */
  readonly #changed = new Set<number>();
  readonly parts: number;

  private constructor(words: Uint32Array<ArrayBuffer>, count: number, parts: number) {
    this.#words = words;
    this.#count = count;
    this.#slots = slotsFor(count);
    this.parts = parts;
    for (let page = 0; page < count; page++) this.#index(page);
  }

  static empty(parts = 1): KnownPages {
    return new KnownPages(new Uint32Array(0), 0, parts);
  }

  /** @param records of all parts, in any order */
  static of(records: readonly Buffer[], parts: number): KnownPages {
    const whole = Buffer.concat(records);
    const words = new Uint32Array(whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length));
    return new KnownPages(words, words.length / WORDS, parts);
  }

  /** A copy with as many parts as its pages need; if that is another number, all of them have changed. */
  copy(pages = this.#count): KnownPages {
    const needed = Math.max(this.parts, partsFor(pages));
    const copy = new KnownPages(this.#words.slice(0, this.#count * WORDS), this.#count, needed);
    if (needed !== this.parts) for (let part = 0; part < needed; part++) copy.#changed.add(part);
    return copy;
  }

  get size(): number {
    return this.#count;
  }

  /** Pages that the sitemap lists, as far as it could be read, and those of them that wait to be taken. */
  counts(): { readonly pages: number; readonly waiting: number } {
    let pages = 0;
    let waiting = 0;
    for (let page = 0; page < this.#count; page++) {
      const state = this.stateOf(page);
      if (state !== "gone" && state !== "gone_untaken") pages += 1;
      if (state === "waits_as_new" || state === "waits_as_changed") waiting += 1;
    }
    return { pages, waiting };
  }

  /** The index of a page, or -1. */
  find(a: number, b: number): number {
    const words = this.#words;
    const mask = this.#slots.length - 1;
    for (let slot = mixed(a, b) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const page = this.#slots[slot]! - 1;
      if (words[page * WORDS] === a && words[page * WORDS + 1] === b) return page;
    }
    return -1;
  }

  modifiedOf(page: number): number {
    return this.#words[page * WORDS + 2]!;
  }

  stateOf(page: number): PageState {
    return PAGE_STATES[this.#words[page * WORDS + 3]! >>> (32 - STATE_BITS)]!;
  }

  sinceOf(page: number): number {
    return this.#words[page * WORDS + 3]! & (2 ** (32 - STATE_BITS) - 1);
  }

  partOf(page: number): number {
    return mixed(this.#words[page * WORDS]!, this.#words[page * WORDS + 1]!) & (this.parts - 1);
  }

  /** Sets what is known of a page. */
  set(page: number, { modified, state, since }: KnownPage): void {
    const at = page * WORDS;
    this.#words[at + 2] = modified;
    this.#words[at + 3] = ((PAGE_STATES.indexOf(state) << (32 - STATE_BITS)) | since) >>> 0;
    this.#changed.add(this.partOf(page));
  }

  /** Adds a page that is not known. */
  add(a: number, b: number, known: KnownPage): void {
    if ((this.#count + 1) * WORDS > this.#words.length) {
      const longer = new Uint32Array(Math.max(64, this.#words.length * 2));
      longer.set(this.#words);
      this.#words = longer;
    }
    const page = this.#count++;
    this.#words[page * WORDS] = a;
    this.#words[page * WORDS + 1] = b;
    if (2 * this.#count > this.#slots.length) {
      this.#slots = slotsFor(2 * this.#count);
      for (let each = 0; each < this.#count; each++) this.#index(each);
    } else this.#index(page);
    this.set(page, known);
  }

  /** Makes a part one of those that `changedParts` gives. */
  markChanged(part: number): void {
    this.#changed.add(part);
  }

  /** The parts that have changed, with their records, and the indices of these. */
  changedParts(): { part: number; records: Buffer; pages: number[] }[] {
    const pagesOf = new Map([...this.#changed].sort((a, b) => a - b).map((part) => [part, [] as number[]]));
    for (let page = 0; page < this.#count; page++) pagesOf.get(this.partOf(page))?.push(page);
    return [...pagesOf].map(([part, pages]) => {
      const words = new Uint32Array(pages.length * WORDS);
      pages.forEach((page, at) => {
        words.set(this.#words.subarray(page * WORDS, (page + 1) * WORDS), at * WORDS);
      });
      return { part, records: Buffer.from(words.buffer), pages };
    });
  }

  #index(page: number): void {
    const mask = this.#slots.length - 1;
    let slot = mixed(this.#words[page * WORDS]!, this.#words[page * WORDS + 1]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = page + 1;
  }
}

function slotsFor(pages: number): Uint32Array {
  return new Uint32Array(2 ** Math.ceil(Math.log2(2 * pages + 2)));
}

/** The low bits of a hash are poor, since it is a product. */
function mixed(a: number, b: number): number {
  const both = Math.imul(a ^ (b >>> 15) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  return (both ^ (both >>> 15)) >>> 0;
}
