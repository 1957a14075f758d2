import { Refusal } from "../../platform/errors/errors.ts";

/** Approximate bytes of addresses that this thread may hold in all. The largest sitemap needs half of them. */
const LIMIT_BYTES = 512 * 1024 * 1024;

/** Bytes per address, in addition to its characters. */
const OVERHEAD = 64;

/** The memory for the addresses of one sitemap. It comes out of a budget that all sitemaps being read share. */
export class MemoryBudget {
  static #taken = 0;
  readonly #limit: number;
  #mine = 0;

  /** @param limit bytes of all sitemaps above which this one gets no more */
  constructor(limit = LIMIT_BYTES) {
    this.#limit = limit;
  }

  /** @throws Refusal unavailable when the shared budget is used up */
  take(address: string): void {
    const bytes = address.length + OVERHEAD;
    if (MemoryBudget.#taken + bytes > this.#limit) {
      const message = "Other large sitemaps are being read. Try again in a moment.";
      throw new Refusal("unavailable", message, {}, { "Retry-After": "10" });
    }
    MemoryBudget.#taken += bytes;
    this.#mine += bytes;
  }

  release(): void {
    MemoryBudget.#taken -= this.#mine;
    this.#mine = 0;
  }
}
