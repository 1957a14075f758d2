import { MINUTE } from "../../platform/clock.ts";
import type { ListOf } from "../../platform/long-list.ts";
import { Slices } from "../../platform/slices.ts";
import { type Difference, type Listing, rememberedDate } from "./difference.ts";
import type { KnownPages, PageState } from "./known-pages.ts";
import type { RunPlan } from "./plan.ts";

/** What a run has read, and what was known before it. */
export interface Reading {
  readonly listing: Listing;
  readonly known: KnownPages;
  readonly difference: Difference;
}

/**
 * What is known of the pages once a plan is carried out. A page that is not taken keeps the date by which it has changed, so that it
 * is found again as long as it waits.
 * @param service now
 */
export async function applyPlan(
  { listing, known, difference }: Reading,
  plan: RunPlan,
  service: number,
): Promise<KnownPages> {
  const { hashes, fresh, corrected, removed } = difference;
  const next = await known.copy(known.size + fresh.length);
  const minute = Math.floor(service / MINUTE);
  const write = (index: number, state: PageState) => {
    const [a, b] = [hashes[2 * index]!, hashes[2 * index + 1]!];
    const page = next.find(a, b);
    const before = page === -1 ? 0 : next.modifiedOf(page);
    if (state === "taken") {
      const modified = rememberedDate(listing.modified[index]!, before, service);
      if (page === -1) next.add(a, b, { modified, state, since: 0 });
      else next.set(page, { modified, state, since: 0 });
    } else if (page === -1) next.add(a, b, { modified: 0, state, since: minute });
    else if (next.stateOf(page) !== state) next.set(page, { modified: before, state, since: minute });
  };
  const slices = new Slices();
  const writeAll = async (pages: ListOf<number>, state: PageState) => {
    for (let at = 0; at < pages.length; at++) {
      write(pages.at(at)!, state);
      if (at % PIECES === 0 && slices.isOver()) await slices.next();
    }
  };
  for (const pages of [plan.submit, plan.notify, plan.note, corrected]) await writeAll(pages, "taken");
  await writeAll(plan.waitNew, "waits_as_new");
  await writeAll(plan.waitChanged, "waits_as_changed");
  for (let at = 0; at < removed.length; at++) {
    const page = removed[at]!;
    const state = known.stateOf(page) === "waits_as_new" ? "gone_untaken" : "gone";
    next.set(next.find(...known.hashOf(page)), { modified: known.modifiedOf(page), state, since: 0 });
    if (at % PIECES === 0 && slices.isOver()) await slices.next();
  }
  return next;
}

/** Pages between two looks at the time. */
const PIECES = 256;
