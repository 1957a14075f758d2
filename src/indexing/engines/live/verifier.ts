import type { CheckReason } from "../../../domain/projects/evidence-codes.ts";
import { MINUTE } from "../../../platform/clock.ts";
import { eachLimit, Semaphore } from "../../../platform/concurrency.ts";
import { type ProviderBook, type Tally, txOptions } from "../../providers/book.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import { holderOf } from "../../providers/quota.ts";
import type { CheckBatch, CheckOutcome, OwnedSite, Verifier } from "../engine.ts";
import type { Canaries } from "./lookup/canaries.ts";
import type { IndexLookup, LookupResult } from "./lookup.ts";

interface LinkToCheck {
  readonly index: number;
  readonly url: string;
  readonly site: OwnedSite | null;
}

/**
 * Checks each URL with the first lookup that covers it, has quota left and passes its canaries. If a lookup gives no
 * answer, the next one is asked. A URL that no lookup can answer is `unknown`.
 */
export function liveVerifier(lookups: readonly IndexLookup[], canaries: Canaries, book: ProviderBook): Verifier {
  const all = lookups.map(
    (lookup): LookupDeps => ({ lookup, semaphore: new Semaphore(lookup.concurrency), canaries, book }),
  );
  return {
    async check(batch: CheckBatch) {
      const outcomes: CheckOutcome[] = batch.links.map(() => NO_VERIFIER);
      let open: LinkToCheck[] = batch.links.map(({ url }, index) => ({ index, url, site: batch.sites(url) }));
      for (const deps of all) {
        const covered = open.filter(({ url, site }) => deps.lookup.covers(url, site));
        const found = await lookUpAll(deps, covered, batch.isUrgent);
        for (const [index, outcome] of found) {
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

/** A lookup and what it needs. */
interface LookupDeps {
  readonly lookup: IndexLookup;
  readonly semaphore: Semaphore;
  readonly canaries: Canaries;
  readonly book: ProviderBook;
}

/** The outcomes of one lookup for these links, by their index. */
async function lookUpAll(deps: LookupDeps, links: readonly LinkToCheck[], isUrgent: boolean) {
  const { lookup, semaphore } = deps;
  const outcomes = new Map<number, CheckOutcome>();
  const exhausted = new Set<string>();
  await eachLimit(links, lookup.concurrency, async ({ index, url, site }) => {
    const quota = holderOf(lookup.quota(site, url), "access");
    try {
      const ask = async () => (exhausted.has(quota) ? null : lookUpWithinQuota(deps, url, site));
      const result = await semaphore.run(ask, { isUrgent });
      if (!result) exhausted.add(quota);
      outcomes.set(index, result ? outcomeOf(lookup, result) : unavailable(lookup, "held"));
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      // Lookups fail in no other ways than those of CheckReason.
      outcomes.set(index, unavailable(lookup, thrown.kind as CheckReason));
    }
  });
  const answered = [...outcomes].filter(([, { available }]) => available);
  const isTrusted = !lookup.needsCanaries || answered.length === 0 || (await passesCanaries(deps));
  if (!isTrusted) for (const [index] of answered) outcomes.set(index, unavailable(lookup, "canary_failed"));
  return outcomes;
}

/** Takes units before the lookup and returns the unused ones afterwards. @returns null when there is no quota now */
function lookUpWithinQuota({ lookup, book }: LookupDeps, url: string, site: OwnedSite | null) {
  const ask = () => lookup.lookUp(url, site);
  return book.within(lookup.quota(site, url), lookup.maxUnits, ask, (result) => tallyOf(lookup, result));
}

async function passesCanaries(deps: LookupDeps): Promise<boolean> {
  const { lookup, canaries, book } = deps;
  let hasRun = false;
  let isHeld = false;
  const passed = await canaries.check(lookup, async (url) => {
    hasRun = true;
    const result = await lookUpWithinQuota(deps, url, null);
    isHeld ||= result === null;
    return result ?? NO_QUOTA;
  });
  // Only the caller that ran the canaries records the failure. An exhausted quota and a failed call are no wrong
  // answers.
  const isWrong = WRONG_ANSWERS.has(canaries.reasonOf(lookup.name) ?? "");
  if (passed || !hasRun || isHeld || !isWrong) return passed;
  const failure = new UpstreamFailure(lookup.name, "canary_failed", { until: book.clock.service() + CANARY_HOLD });
  const quota = lookup.quota(null);
  await book.db.tx((tx) => book.note(tx, quota, {}, failure), txOptions(quota));
  return false;
}

/** For how long a lookup is not used whose canaries have failed, in service ms. */
const CANARY_HOLD = 10 * MINUTE;

const WRONG_ANSWERS: ReadonlySet<string> = new Set([
  "known_page_not_found",
  "no_known_page_answered",
  "absent_page_not_absent",
]);

/** The result of a canary for which no quota is left. It proves nothing. */
const NO_QUOTA: LookupResult = { result: "unknown", counts: {}, unitsUsed: 0 };

function tallyOf({ maxUnits }: IndexLookup, { result, unitsUsed }: LookupResult): Tally {
  const one = { indexed: 0, notIndexed: 0, unknown: 0, unused: maxUnits - unitsUsed };
  if (result === "indexed") return { ...one, indexed: 1 };
  return result === "not_indexed" ? { ...one, notIndexed: 1 } : { ...one, unknown: 1 };
}

function outcomeOf(
  { name, method }: IndexLookup,
  { result, authoritative, reason, counts, crawl }: LookupResult,
): CheckOutcome {
  return {
    result,
    available: true,
    provider: name,
    method,
    counts,
    ...(authoritative === undefined ? {} : { authoritative }),
    ...(reason === undefined ? {} : { reason }),
    ...(crawl === undefined ? {} : { crawl }),
  };
}

function unavailable({ name, method }: IndexLookup, reason: CheckReason): CheckOutcome {
  return { result: "unknown", available: false, provider: name, method, reason };
}
