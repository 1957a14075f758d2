import { Slices } from "../../platform/slices.ts";

/** What is known of a page. */
export const PAGE_STATES = ["taken", "waits_as_new", "waits_as_changed", "gone", "gone_untaken"] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** Words of 32 bits a page: its hash in two, when it was last modified in seconds, and its state with the minute of waiting. */
const WORDS = 4;
const BYTES_OF_WORD = 4;
const STATE_BITS = 3;

/** Pages in one part; it is one row, which is written as a whole. */
const PART_PAGES = 4_096;

/** Most pages that are known, including pages that are gone, unless a sitemap lists more. */
const MOST_PAGES = 2_000_000;

/** Pages between two looks at the time. */
const PIECES = 256;

/** Words that are copied between two looks at the time: 64 KB. */
const COPIED_WORDS = 16_384;

/** The number of parts that so many pages need, a power of two. */
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

/** A part as it is written. */
export interface ChangedPart {
  readonly part: number;
  readonly records: Buffer;
  /** The indices of its pages, in the order of the records. */
  readonly pages: Uint32Array;
}

/**
 * The pages that are known of a watch, found by the 64-bit hash of their URLs (`hashUrls`). They are in typed arrays, because a
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

  /** @param words with the records of `count` pages, and room for more @param slots with these pages in their places */
  private constructor(words: Uint32Array<ArrayBuffer>, slots: Uint32Array, count: number, parts: number) {
    this.#words = words;
    this.#slots = slots;
    this.#count = count;
    this.parts = parts;
  }

  static empty(parts = 1): KnownPages {
    return new KnownPages(new Uint32Array(0), slotsFor(0), 0, parts);
  }

  /** @param records of all parts, in any order */
  static async of(records: readonly Buffer[], parts: number): Promise<KnownPages> {
    const words = new Uint32Array(records.reduce((total, { length }) => total + length, 0) / BYTES_OF_WORD);
    const bytes = Buffer.from(words.buffer);
    const slices = new Slices();
    let at = 0;
    for (const record of records) {
      at += record.copy(bytes, at);
      if (slices.isOver()) await slices.next();
    }
    const count = words.length / WORDS;
    const pages = new KnownPages(words, slotsFor(count), count, parts);
    await pages.#indexAll();
    return pages;
  }

  /**
   * A copy with room for so many pages, and as many parts as they need. If the number of parts differs, all parts have changed.
   * If there are too many pages, the copy leaves out pages that were gone.
   */
  async copy(pages: number): Promise<KnownPages> {
    if (pages > MOST_PAGES) return this.#withoutGone(pages);
    const words = new Uint32Array(Math.max(pages, this.#count) * WORDS);
    await copyWords(this.#words.subarray(0, this.#count * WORDS), words);
    const slots = slotsFor(pages);
    const isSameSize = slots.length === this.#slots.length;
    if (isSameSize) await copyWords(this.#slots, slots);
    const copy = new KnownPages(words, slots, this.#count, Math.max(this.parts, partsFor(pages)));
    if (!isSameSize) await copy.#indexAll();
    if (copy.parts !== this.parts) copy.#markAll();
    return copy;
  }

  async #withoutGone(pages: number): Promise<KnownPages> {
    const words = new Uint32Array(pages * WORDS);
    const slices = new Slices();
    let count = 0;
    for (let page = 0; page < this.#count; page++) {
      if (page % PIECES === 0 && slices.isOver()) await slices.next();
      const state = this.stateOf(page);
      if (state === "gone" || state === "gone_untaken") continue;
      words.set(this.#words.subarray(page * WORDS, (page + 1) * WORDS), count++ * WORDS);
    }
    const rest = new KnownPages(words, slotsFor(pages), count, Math.max(this.parts, partsFor(pages)));
    await rest.#indexAll();
    rest.#markAll();
    return rest;
  }

  get size(): number {
    return this.#count;
  }

  /** How many pages the sitemap lists, as far as it could be read, and how many of them wait to be taken. */
  async counts(): Promise<{ readonly pages: number; readonly waiting: number }> {
    const slices = new Slices();
    let pages = 0;
    let waiting = 0;
    for (let page = 0; page < this.#count; page++) {
      if (page % PIECES === 0 && slices.isOver()) await slices.next();
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

  /** The two words of a page's hash. */
  hashOf(page: number): readonly [a: number, b: number] {
    return [this.#words[page * WORDS]!, this.#words[page * WORDS + 1]!];
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

  /** Marks a part as changed, so that `changedParts` yields it. */
  markChanged(part: number): void {
    this.#changed.add(part);
  }

  /** The parts that have changed, one after the other. */
  async *changedParts(): AsyncGenerator<ChangedPart> {
    const slices = new Slices();
    // A counting sort: finds where each part begins among the pages in the order of their parts.
    const ends = new Uint32Array(this.parts);
    for (let page = 0; page < this.#count; page++) {
      ends[this.partOf(page)]! += 1;
      if (page % PIECES === 0 && slices.isOver()) await slices.next();
    }
    for (let part = 1; part < this.parts; part++) ends[part]! += ends[part - 1]!;
    const ordered = new Uint32Array(this.#count);
    const starts = Uint32Array.from(ends, (_, part) => (part === 0 ? 0 : ends[part - 1]!));
    const next = starts.slice();
    for (let page = 0; page < this.#count; page++) {
      ordered[next[this.partOf(page)]!++] = page;
      if (page % PIECES === 0 && slices.isOver()) await slices.next();
    }
    for (const part of [...this.#changed].sort((a, b) => a - b)) {
      const pages = ordered.subarray(starts[part]!, ends[part]!);
      const words = new Uint32Array(pages.length * WORDS);
      for (let at = 0; at < pages.length; at++)
        for (let word = 0; word < WORDS; word++) words[at * WORDS + word] = this.#words[pages[at]! * WORDS + word]!;
      yield { part, records: Buffer.from(words.buffer), pages };
      if (slices.isOver()) await slices.next();
    }
  }

  #markAll(): void {
    for (let part = 0; part < this.parts; part++) this.#changed.add(part);
  }

  async #indexAll(): Promise<void> {
    const slices = new Slices();
    for (let page = 0; page < this.#count; page++) {
      this.#index(page);
      if (page % PIECES === 0 && slices.isOver()) await slices.next();
    }
  }

  #index(page: number): void {
    const mask = this.#slots.length - 1;
    let slot = mixed(this.#words[page * WORDS]!, this.#words[page * WORDS + 1]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = page + 1;
  }
}

/** Copies to the beginning of fresh memory, in pieces, because the operating system is slow to provide it. */
async function copyWords(from: Uint32Array, to: Uint32Array): Promise<void> {
  const slices = new Slices();
  for (let at = 0; at < from.length; at += COPIED_WORDS) {
    to.set(from.subarray(at, at + COPIED_WORDS), at);
    if (slices.isOver()) await slices.next();
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
