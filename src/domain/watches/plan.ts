import type { Reader } from "../../../db/engine.ts";
import { type ListOf, LongList } from "../../platform/long-list.ts";
import { SIZES } from "../../platform/sizes.ts";
import { COSTS } from "../ledger/costs.ts";
import { heldPages } from "../projects/experiments/held.ts";
import { notSubmitted } from "../projects/submitted.ts";
import type { Allowance, RunLimit } from "./budget.ts";
import type { Difference, Listing } from "./difference.ts";
import type { WatchSettings } from "./settings.ts";

/** What a run does with the pages of a difference, by their index in the listing. */
export interface RunPlan {
  /** To be submitted, as one project. */
  readonly submit: readonly number[];
  /** Engines are to be notified of them. */
  readonly notify: readonly number[];
  /** Known from now on, without anything being done: they are listed only, or were submitted before. */
  readonly note: ListOf<number>;
  /** Left for the next run. */
  readonly waitNew: readonly number[];
  readonly waitChanged: readonly number[];
  /** What keeps them waiting; null: none waits. */
  readonly limit: RunLimit | null;
  /** Credits that it costs. */
  readonly credits: number;
}

/** Pages that are looked up among the links of the account at a time, and in one run. */
const BATCH = 1_000;
const MOST_LOOKED_UP = 50_000;

type Settings = Pick<WatchSettings, "newPages" | "changedPages" | "mode" | "mostPerRun">;

/**
 * Decides what a run takes: the pages that wait longest first, then new ones, then changed ones, until the run or its credits are
 * used up. A new page that is a link of the account already is noted and costs nothing. A page that is held out of an experiment
 * waits for its end.
 */
export async function planRun(
  db: Reader,
  accountId: string,
  settings: Settings,
  { listing, difference }: { listing: Listing; difference: Difference },
  allowance: Allowance,
): Promise<RunPlan> {
  const price = COSTS[settings.mode];
  const affordable = Math.min(SIZES.urlsPerSubmission, Math.floor(allowance.credits / price));
  const submit: number[] = [];
  const notify: number[] = [];
  const noted: ListOf<number>[] = [];
  const room = () => Math.max(0, settings.mostPerRun - submit.length - notify.length);
  const waiting = { new: [] as number[], changed: [] as number[] };
  const held = { new: [] as number[], changed: [] as number[] };
  const heldAmong = await heldPages(db, accountId);
  let isOutOfCredits = false;

  const take = async (kind: "new" | "changed", action: string, pages: ListOf<number>) => {
    if (action === "list" || action === "ignore") return void noted.push(pages);
    const left = () => (action === "submit" ? Math.min(room(), affordable - submit.length) : room());
    const isLookedUp = kind === "new" && action === "submit";
    let read = 0;
    const beyond: number[] = [];
    const withoutHeld = async (all: number[]) => {
      const isHeld = await heldAmong?.(all.map((page) => listing.urls.at(page)!));
      if (!isHeld?.size) return all;
      held[kind].push(...all.filter((page) => isHeld.has(listing.urls.at(page)!)));
      return all.filter((page) => !isHeld.has(listing.urls.at(page)!));
    };
    while (read < pages.length && left() > 0 && read < MOST_LOOKED_UP) {
      const all = pages.slice(read, read + (isLookedUp ? BATCH : left()));
      read += all.length;
      const batch = await withoutHeld(all);
      if (action === "notify") notify.push(...batch);
      else if (!isLookedUp) submit.push(...batch);
      else {
        const urls = batch.map((page) => listing.urls.at(page)!);
        const fresh = new Set((await notSubmitted(db, accountId, urls)).urls);
        noted.push(batch.filter((_, at) => !fresh.has(urls[at]!)));
        const unknown = batch.filter((_, at) => fresh.has(urls[at]!));
        const taken = left();
        submit.push(...unknown.slice(0, taken));
        beyond.push(...unknown.slice(taken));
      }
    }
    const rest = pages.slice(read);
    waiting[kind] = beyond.length > 0 ? [...beyond, ...rest] : rest;
    if (waiting[kind].length > 0 && action === "submit" && room() > 0 && left() === 0) isOutOfCredits = true;
  };
  const { waitingNew, fresh, waitingChanged, changed } = difference;
  await take("new", settings.newPages, LongList.of([waitingNew, fresh]));
  await take("changed", settings.changedPages, LongList.of([waitingChanged, changed]));
  const isAnyWaiting = waiting.new.length + waiting.changed.length > 0;
  const isAnyHeld = held.new.length + held.changed.length > 0;
  return {
    ...{ submit, notify, note: LongList.of(noted) },
    waitNew: [...held.new, ...waiting.new],
    waitChanged: [...held.changed, ...waiting.changed],
    limit: isAnyWaiting ? (isOutOfCredits ? allowance.limit : "most_per_run") : isAnyHeld ? "held_out" : null,
    credits: submit.length * price,
  };
}

/** The plan of a first run that takes all pages as known. */
export function baselinePlan({ fresh, waitingNew, waitingChanged, changed }: Difference): RunPlan {
  const note = LongList.of([fresh, waitingNew, waitingChanged, changed]);
  return { submit: [], notify: [], note, waitNew: [], waitChanged: [], limit: null, credits: 0 };
}
