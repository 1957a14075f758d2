import { Refusal } from "../../platform/errors/errors.ts";

/** Bytes of addresses, about, that all reads of this thread may hold at a time; the largest one takes half of it. */
const ROOM = 512 * 1024 * 1024;

/** What an address costs beside its characters. */
const OVERHEAD = 64;

/** The memory that one reading of a sitemap has taken. */
export class Room {
  static #taken = 0;
  #mine = 0;

  /** @throws Refusal unavailable when other reads hold too much already */
  take(address: string): void {
    const bytes = address.length + OVERHEAD;
    if (Room.#taken + bytes > ROOM) {
      const message = "Other large sitemaps are being read. Try again in a moment.";
      throw new Refusal("unavailable", message, {}, { "Retry-After": "10" });
    }
    Room.#taken += bytes;
    this.#mine += bytes;
  }

  leave(): void {
    Room.#taken -= this.#mine;
    this.#mine = 0;
  }
}
