import { LongList } from "../../platform/long-list.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";

/**
 * Many small sets grow at different times. One set of a million texts would hold the event loop each time it grows.
 */
const SETS = 64;

/** Pages in document order, normalised and without duplicates. Each has the time of its last modification. */
export class PageList {
  readonly urls = new LongList<string>();
  readonly #sets = Array.from({ length: SETS }, () => new Set<string>());
  readonly #isWanted: (url: string) => boolean;
  #modified = new Uint32Array(1_024);
  /** Whether any entry was a URL, wanted or not. */
  isAnyListed = false;

  /** @param isWanted nothing is kept of the other pages */
  constructor(isWanted: (url: string) => boolean) {
    this.#isWanted = isWanted;
  }

  /** @returns whether it is a page that was not there before */
  add(address: string, modified: number): boolean {
    const url = normaliseUrl(address);
    if (url === null) return false;
    this.isAnyListed = true;
    const set = this.#sets[setOf(url)]!;
    if (set.has(url) || !this.#isWanted(url)) return false;
    set.add(url);
    if (this.urls.length === this.#modified.length) {
      const longer = new Uint32Array(2 * this.#modified.length);
      longer.set(this.#modified);
      this.#modified = longer;
    }
    this.#modified[this.urls.length] = modified;
    this.urls.push(url);
    return true;
  }

  /** In seconds since 1970; 0 if the sitemap does not say. */
  get modified(): Uint32Array {
    return this.#modified.subarray(0, this.urls.length);
  }
}

/** The set of a URL. Addresses of one site differ in their last characters, before an extension. */
function setOf(url: string): number {
  let sum = url.length;
  for (let at = Math.max(0, url.length - 12); at < url.length; at++) sum = (sum * 31 + url.charCodeAt(at)) | 0;
  return (sum ^ (sum >>> 6) ^ (sum >>> 12)) & (SETS - 1);
}
