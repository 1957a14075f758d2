import type { Reader } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import type { ListOf } from "../../platform/long-list.ts";
import type { Reading } from "./apply-plan.ts";
import { allowanceOf } from "./budget.ts";
import { baselinePlan, planRun, type RunPlan } from "./plan.ts";
import type { WatchRow } from "./rows.ts";
import { settingsOf } from "./rows.ts";
import { EMPTY_RUN, EXAMPLE_LENGTH, EXAMPLES, type Run } from "./runs.ts";
import type { Hold } from "./sense.ts";

/** What a run does, and how it is told. */
export interface Decision {
  readonly run: Run;
  /** Null: it is held. */
  readonly plan: RunPlan | null;
  readonly hold: Hold | null;
}

export interface RunInput extends Reading {
  readonly watch: WatchRow;
  /** What holds it; null: nothing does, or a person or the maker has accepted just this. */
  readonly hold: Hold | null;
  /** URLs of pages that are gone, where they are stored. */
  readonly removedUrls: readonly string[];
}

/** Decides what a run does, by what the account and its credential may spend at this moment. It writes nothing. */
export async function decideRun(
  db: Reader,
  { watch, listing, difference, hold, removedUrls }: RunInput,
  { balance, ...times }: Times & { balance: number },
): Promise<Decision> {
  const settings = settingsOf(watch);
  const { fresh, changed, removed, same } = difference;
  const isBaseline = watch.firstRun === "baseline";
  const isFirst = watch.firstRun !== "done";
  const first = (pages: ListOf<number>) => examplesOf(pages, (page) => listing.urls.at(page)!);
  const found = {
    ...{ newPages: isBaseline ? 0 : fresh.length, changedPages: isBaseline ? 0 : changed.length },
    ...{ removedPages: isFirst ? 0 : removed.length, samePages: isBaseline ? listing.urls.length : same },
    examples: isBaseline
      ? null
      : { new: first(fresh), changed: first(changed), removed: examplesOf(removedUrls, (url) => url) },
  };
  const base = { ...EMPTY_RUN, ...found, at: times.service };
  if (hold) return { run: { ...base, result: "held", reason: hold.reason, waiting: watch.waiting }, plan: null, hold };
  const allowance = await allowanceOf(db, watch, { ...times, balance });
  const plan = isBaseline
    ? baselinePlan(difference)
    : await planRun(db, watch.accountId, settings, { listing, difference }, allowance);
  const waiting = plan.waitNew.length + plan.waitChanged.length;
  const hasFound = found.newPages + found.changedPages + found.removedPages > 0;
  const isDone = isFirst || hasFound || plan.submit.length + plan.notify.length > 0;
  const run: Run = {
    ...base,
    ...(isDone ? { result: "done" } : { result: "unchanged", examples: null }),
    ...{ waiting, submitted: plan.submit.length, creditsSpent: plan.credits, reason: plan.limit },
  };
  return { run, plan, hold: null };
}

/** The first URLs that are short enough to be shown. */
export function examplesOf<T>(all: ListOf<T>, urlOf: (one: T) => string): string[] {
  const examples: string[] = [];
  for (const one of all) {
    if (examples.length === EXAMPLES) break;
    const url = urlOf(one);
    if (url.length <= EXAMPLE_LENGTH) examples.push(url);
  }
  return examples;
}
