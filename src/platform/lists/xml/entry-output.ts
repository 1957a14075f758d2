import { formatNumber } from "../../format.ts";
import type { OnEntry } from "../format.ts";
import { UnreadableList } from "../limits.ts";

/** Passes on the addresses of a document, each within the limit of length. */
export class EntryOutput {
  readonly #onEntry: OnEntry;
  readonly #maxAddress: number;
  /** Addresses so far. */
  #count = 0;
  /** Addresses of the open entry, which wait for its date. */
  #waiting: string[] = [];
  #modified: number | null = null;

  constructor(onEntry: OnEntry, maxAddress: number) {
    this.#onEntry = onEntry;
    this.#maxAddress = maxAddress;
  }

  /** Passes an address on at once. */
  pass(text: string, modified: number | null): void {
    this.#onEntry(this.#addressIn(text), modified);
  }

  /** Keeps an address until the end of its entry, because the date may follow it. */
  keep(text: string): void {
    this.#waiting.push(this.#addressIn(text));
  }

  /** Sets the date of the open entry, in seconds since 1970. */
  setModified(modified: number | null): void {
    this.#modified = modified;
  }

  /** Passes on the addresses of the open entry. */
  endEntry(): void {
    for (const address of this.#waiting) this.#onEntry(address, this.#modified);
    this.#waiting = [];
    this.#modified = null;
  }

  /** The refusal of the document, which says how many addresses came before. */
  refusal(what: string): Error {
    return new UnreadableList(`${what} (after ${formatNumber(this.#count)} addresses)`);
  }

  #addressIn(text: string): string {
    const address = text.trim();
    if (address.length > this.#maxAddress) throw this.refusal("an address is too long");
    this.#count += 1;
    return address;
  }
}
