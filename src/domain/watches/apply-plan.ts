import { MINUTE } from "../../platform/clock.ts";
import { type Difference, type Listing, rememberedDate } from "./difference.ts";
import type { KnownPages, PageState } from "./known-pages.ts";
import type { RunPlan } from "./plan.ts";

/** What a run has read, beside what was known. */
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
export function applyPlan({ listing, known, difference }: Reading, plan: RunPlan, service: number): KnownPages {
  const { hashes, fresh, corrected, removed } = difference;
  const next = known.copy(known.size + fresh.length);
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
  for (const pages of [plan.submit, plan.notify, plan.note, corrected])
    for (const index of pages) write(index, "taken");
  for (const index of plan.waitNew) write(index, "waits_as_new");
  for (const index of plan.waitChanged) write(index, "waits_as_changed");
  for (const page of removed) {
    const isTaken = known.stateOf(page) !== "waits_as_new";
    next.set(page, { modified: known.modifiedOf(page), state: isTaken ? "gone" : "gone_untaken", since: 0 });
  }
  return next;
}
