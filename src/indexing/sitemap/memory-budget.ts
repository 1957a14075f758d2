import { Refusal } from "../../platform/errors/errors.ts";

/** Bytes of addresses, roughly, that all readings of this thread may hold at a time; the largest one takes half. */
const LIMIT_BYTES = 512 * 1024 * 1024;

/** Bytes that an address costs beside its characters. */
const OVERHEAD = 64;

/** The memory that one reading of a sitemap uses, of a budget that all readings share. */
export class MemoryBudget {
  static #taken = 0;
  #mine = 0;

  /** @throws Refusal unavailable when other reads hold too much already */
  take(address: string): void {
    const bytes = address.length + OVERHEAD;
    if (MemoryBudget.#taken + bytes > LIMIT_BYTES) {
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
