import { eachLimit, Semaphore } from "../../../platform/concurrency.ts";
import { type ProviderBook, type Tally, txOptions } from "../../providers/book.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import type { CheckBatch, CheckOutcome, OwnedSite, Verifier } from "../engine.ts";
import type { Canaries } from "./lookup/canaries.ts";
import type { IndexLookup, LookupResult } from "./lookup.ts";

interface Wanted {
  readonly index: number;
  readonly url: string;
  readonly site: OwnedSite | null;
}

/**
 * Checks each URL with the first lookup that covers it, has budget left and passes its canaries. What one lookup cannot
 * answer goes to the next; what none can answer is `unknown`.
 */
export function liveVerifier(lookups: readonly IndexLookup[], canaries: Canaries, book: ProviderBook): Verifier {
  const all = lookups.map(
    (lookup): LookupDeps => ({ lookup, semaphore: new Semaphore(lookup.concurrency), canaries, book }),
  );
  return {
    async check(batch: CheckBatch) {
      const outcomes: CheckOutcome[] = batch.links.map(() => NO_VERIFIER);
      let open: Wanted[] = batch.links.map(({ url }, index) => ({ index, url, site: batch.sites(url) }));
      for (const deps of all) {
        const covered = open.filter(({ url, site }) => deps.lookup.covers(url, site));
        const seen = await lookUpAll(deps, covered, batch.isUrgent);
        for (const [index, outcome] of seen) {
          if (outcome.available || !outcomes[index]!.available) outcomes[index] = outcome;
        }
        open = open.filter(({ index }) => outcomes[index]!.result === "unknown");
      }
      return outcomes;
    },
  };
}

const NO_VERIFIER: CheckOutcome = {
  result: "unknown",
  available: false,
  provider: "none",
  method: "none",
  reason: "no_verifier",
};

/** A lookup, and what it takes to use it. */
interface LookupDeps {
  readonly lookup: IndexLookup;
  readonly semaphore: Semaphore;
  readonly canaries: Canaries;
  readonly book: ProviderBook;
}

/** What one lookup answers for these links, by their index. */
async function lookUpAll(deps: LookupDeps, wanted: readonly Wanted[], isUrgent: boolean) {
  const { lookup, semaphore } = deps;
  const seen = new Map<number, CheckOutcome>();
  const closed = new Set<string>();
  await eachLimit(wanted, lookup.concurrency, async ({ index, url, site }) => {
    const quota = lookup.quota(site).name;
    try {
      const ask = async () => (closed.has(quota) ? null : lookUpWithinBudget(deps, url, site));
      const result = await semaphore.run(ask, { isUrgent });
      if (!result) closed.add(quota);
      seen.set(index, result ? outcomeOf(lookup, result) : unavailable(lookup, "held"));
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      seen.set(index, unavailable(lookup, thrown.kind));
      if (ENDS.has(thrown.kind)) closed.add(quota);
    }
  });
  const answered = [...seen].filter(([, { available }]) => available);
  const isSound = !lookup.needsCanaries || answered.length === 0 || (await areFound(deps));
  if (!isSound) for (const [index] of answered) seen.set(index, unavailable(lookup, "canary_failed"));
  return seen;
}

/** Failures that every further request of the batch would meet too. */
const ENDS: ReadonlySet<string> = new Set(["quota", "rate_limited", "unauthorized"]);

/** Takes the budget before the lookup and gives back what it did not use. @returns null when there is no budget now */
async function lookUpWithinBudget({ lookup, book }: LookupDeps, url: string, site: OwnedSite | null) {
  const quota = lookup.quota(site);
  const taken = await book.db.tx((tx) => book.take(tx, quota, lookup.maxUnits, lookup.maxUnits), txOptions(quota));
  if ("until" in taken) return null;
  try {
    const result = await lookup.lookUp(url, site);
    await book.db.tx((tx) => book.note(tx, quota, tallyOf(lookup, result)), txOptions(quota));
    return result;
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure)
      await book.db.tx((tx) => book.note(tx, quota, { unknown: 1 }, thrown), txOptions(quota));
    throw thrown;
  }
}

async function areFound(deps: LookupDeps): Promise<boolean> {
  const { lookup, canaries, book } = deps;
  let isAsked = false;
  let isHeld = false;
  const found = await canaries.check(lookup, async (url) => {
    isAsked = true;
    const result = await lookUpWithinBudget(deps, url, null);
    isHeld ||= result === null;
    return result ?? UNASKED;
  });
  // Only the caller that really asked notes the failure. Running out of budget and failed calls are no wrong answers.
  const isFalse = FALSE_ANSWERS.has(canaries.reasonOf(lookup.name) ?? "");
  if (found || !isAsked || isHeld || !isFalse) return found;
  const failure = new UpstreamFailure(lookup.name, "canary_failed");
  const quota = lookup.quota(null);
  await book.db.tx((tx) => book.note(tx, quota, {}, failure), txOptions(quota));
  return false;
}

const FALSE_ANSWERS: ReadonlySet<string> = new Set([
  "known_page_not_found",
  "no_known_page_answered",
  "absent_page_not_absent",
]);

/** A canary for which no budget is left proves nothing. */
const UNASKED: LookupResult = { result: "unknown", counts: {}, unitsUsed: 0 };

function tallyOf({ maxUnits }: IndexLookup, { result, unitsUsed }: LookupResult): Tally {
  const one = { indexed: 0, notIndexed: 0, unknown: 0, unused: maxUnits - unitsUsed };
  if (result === "indexed") return { ...one, indexed: 1 };
  return result === "not_indexed" ? { ...one, notIndexed: 1 } : { ...one, unknown: 1 };
}

function outcomeOf(
  { name, method }: IndexLookup,
  { result, authoritative, reason, counts }: LookupResult,
): CheckOutcome {
  return {
    result,
    available: true,
    provider: name,
    method,
    counts,
    ...(authoritative === undefined ? {} : { authoritative }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function unavailable({ name, method }: IndexLookup, reason: string): CheckOutcome {
  return { result: "unknown", available: false, provider: name, method, reason };
}
