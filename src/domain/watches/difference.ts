import { type ListOf, LongList } from "../../platform/long-list.ts";
import { Slices } from "../../platform/slices.ts";
import { hashUrls } from "../../platform/urls/urls.ts";
import type { KnownPages } from "./known-pages.ts";

/** The pages of a sitemap at one time. */
export interface Listing {
  /** Normalised, without duplicates, in document order. */
  readonly urls: ListOf<string>;
  /** When each was last modified, in seconds since 1970; 0: the sitemap does not say. */
  readonly modified: Uint32Array;
  /** False where a part of the sitemap could not be read: of pages that are not listed, nothing follows then. */
  readonly isComplete: boolean;
}

/** How the pages of a listing differ from the pages known before. Pages of the listing are given by their index in it. */
export interface Difference {
  /** `hashUrls` of the listing, as words. */
  readonly hashes: Uint32Array;
  /** Pages that were not known before, and pages that were gone before they were taken. */
  readonly fresh: ListOf<number>;
  /** Known and listed, waiting to be taken as new, or as changed: the longest first. */
  readonly waitingNew: readonly number[];
  readonly waitingChanged: readonly number[];
  /** With a later date than was known. */
  readonly changed: readonly number[];
  /** Listed again, or with the first date: known as they are now, without anything being done. */
  readonly corrected: readonly number[];
  /** Known pages, by their index there, that are not listed any more. */
  readonly removed: readonly number[];
  /** Listed as they were known. */
  readonly same: number;
  /** Known and not gone, before this listing. */
  readonly known: number;
}

/** A date up to so many seconds ahead comes from another time zone, or from a clock that is fast. */
const AHEAD = 24 * 60 * 60;

/**
 * Compares a listing with what is known. A page has changed only by a date that is later than the known one and not in the future.
 * A date that goes back, or the first one of a page, is no change.
 * @param now service time, in ms
 */
export async function differenceOf(listing: Listing, known: KnownPages, now: number): Promise<Difference> {
  const { urls, modified, isComplete } = listing;
  const hashes = new Uint32Array(urls.length * 2);
  const listed = new Uint8Array(known.size);
  const difference = {
    ...{ fresh: new LongList<number>(), changed: [] as number[] },
    ...{ corrected: [] as number[], removed: [] as number[] },
  };
  const slices = new Slices();
  const [waitingNew, waitingChanged] = [new Queue(), new Queue()];
  let same = 0;
  for (let index = 0; index < urls.length; index++) {
    if (index % PIECES === 0) {
      if (slices.isOver()) await slices.next();
      hashes.set(wordsOf(hashUrls(urls.slice(index, index + PIECES))), 2 * index);
    }
    const page = known.find(hashes[2 * index]!, hashes[2 * index + 1]!);
    if (page === -1) {
      difference.fresh.push(index);
      continue;
    }
    // Two URLs with one hash: the second is taken for the first, which hardly ever happens.
    listed[page] = 1;
    const state = known.stateOf(page);
    const [before, after] = [known.modifiedOf(page), modified[index]!];
    const hasChanged = before > 0 && after > before && after * 1_000 <= now;
    if (state === "gone_untaken") difference.fresh.push(index);
    else if (state === "waits_as_new") waitingNew.add(known.sinceOf(page), index);
    else if (state === "waits_as_changed") waitingChanged.add(known.sinceOf(page), index);
    else if (hasChanged) difference.changed.push(index);
    else if (state === "gone" || (before === 0 && after > 0)) difference.corrected.push(index);
    else same += 1;
  }
  let knownBefore = 0;
  for (let page = 0; page < known.size; page++) {
    if (page % PIECES === 0 && slices.isOver()) await slices.next();
    const state = known.stateOf(page);
    if (state === "gone" || state === "gone_untaken") continue;
    knownBefore += 1;
    if (isComplete && !listed[page]) difference.removed.push(page);
  }
  const waiting = { waitingNew: waitingNew.pages(), waitingChanged: waitingChanged.pages() };
  return { ...difference, ...waiting, hashes, same: same + difference.corrected.length, known: knownBefore };
}

/** Pages between two looks at the time. */
const PIECES = 512;

/** Pages that wait, by the minute since when. They come in the order of the listing, so that nothing has to be sorted. */
class Queue {
  readonly #since = new Map<number, number[]>();

  add(since: number, page: number): void {
    const together = this.#since.get(since);
    if (together) together.push(page);
    else this.#since.set(since, [page]);
  }

  /** The longest waiting first. */
  pages(): number[] {
    return [...this.#since].sort(([a], [b]) => a - b).flatMap(([, pages]) => pages);
  }
}

function wordsOf({ buffer, byteOffset, byteLength }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/**
 * The date that is remembered of a page. For a date in the far future it is the date of the reading, so that a later true date
 * is not missed; 0 stays 0.
 */
export function rememberedDate(modified: number, before: number, now: number): number {
  const seconds = Math.floor(now / 1_000);
  return Math.max(before, modified > seconds + AHEAD ? seconds : modified);
}
