import { createHash } from "node:crypto";
import { partsOf } from "../url-parts.ts";

/** How many of `urls` pages are held out. */
export function heldCount(urls: number, percent: number): number {
  return Math.round((urls * percent) / 100);
}

/**
 * Chooses the pages that are held out. Whoever has the seed and the list gets the same pages, whatever the order of the list. Each
 * page has the same chance. Of every host and first folder, the share `held / urls.length` is held out, give or take one page.
 *
 * @param urls normalised, without duplicates
 * @returns positions, ascending
 */
export function chooseHeld(urls: readonly string[], held: number, seed: string): number[] {
  const strata = new Map<string, { readonly position: number; readonly rank: string }[]>();
  urls.forEach((url, position) => {
    const key = partsOf(url).folder;
    const pages = strata.get(key) ?? [];
    if (pages.length === 0) strata.set(key, pages);
    pages.push({ position, rank: digest(seed, url) });
  });
  const shuffled = [...strata]
    .map(([key, pages]) => ({ rank: digest(seed, key), pages: pages.sort(byRank) }))
    .sort(byRank)
    .flatMap(({ pages }) => pages);
  // Every so many-th page of the shuffled list, from a start that the seed gives. The start lets strata of one page be chosen.
  const start = Number.parseInt(digest(seed, "").slice(0, 8), 16) / 2 ** 32;
  const before = (index: number) => Math.floor((index * held) / urls.length + start);
  return shuffled
    .filter((_, index) => before(index + 1) > before(index))
    .map(({ position }) => position)
    .sort((one, other) => one - other);
}

function byRank(one: { readonly rank: string }, other: { readonly rank: string }): number {
  if (one.rank === other.rank) return 0;
  return one.rank < other.rank ? -1 : 1;
}

function digest(seed: string, text: string): string {
  return createHash("sha256").update(`${seed}\n${text}`).digest("hex");
}
