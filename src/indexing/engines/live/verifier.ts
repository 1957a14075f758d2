import { eachLimit, Semaphore } from "../../../platform/concurrency.ts";
import { type ProviderBook, type Tally, txOptions } from "../../providers/book.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import type { LookBatch, LookOutcome, OwnedSite, Verifier } from "../engine.ts";
import type { Canaries } from "./lookup/canaries.ts";
import type { Looker, Sighting } from "./lookup.ts";

interface Wanted {
  readonly index: number;
  readonly url: string;
  readonly site: OwnedSite | null;
}

/**
 * Looks URLs up by the first looker that covers them, has budget left and proves sound; what it could not say goes
 * to the next. What none could say is `unknown`, and nothing is ever settled on that.
 */
export function liveVerifier(lookers: readonly Looker[], canaries: Canaries, book: ProviderBook): Verifier {
  const means = lookers.map((looker): Means => ({ looker, semaphore: new Semaphore(looker.atOnce), canaries, book }));
  return {
    async look(batch: LookBatch) {
      const outcomes: LookOutcome[] = batch.links.map(() => NOBODY);
      let open: Wanted[] = batch.links.map(({ url }, index) => ({ index, url, site: batch.sites(url) }));
      for (const mean of means) {
        const covered = open.filter(({ url, site }) => mean.looker.covers(url, site));
        const seen = await lookThrough(mean, covered, batch.isUrgent);
        for (const [index, outcome] of seen) {
          if (outcome.available || !outcomes[index]!.available) outcomes[index] = outcome;
        }
        open = open.filter(({ index }) => outcomes[index]!.result === "unknown");
      }
      return outcomes;
    },
  };
}

const NOBODY: LookOutcome = {
  result: "unknown",
  available: false,
  provider: "none",
  method: "none",
  reason: "no_verifier",
};

/** A looker, and what it takes to ask it. */
interface Means {
  readonly looker: Looker;
  readonly semaphore: Semaphore;
  readonly canaries: Canaries;
  readonly book: ProviderBook;
}

/** What one looker says of some links. */
async function lookThrough(means: Means, wanted: readonly Wanted[], isUrgent: boolean) {
  const { looker, semaphore } = means;
  const seen = new Map<number, LookOutcome>();
  const closed = new Set<string>();
  await eachLimit(wanted, looker.atOnce, async ({ index, url, site }) => {
    const pool = looker.pool(site).name;
    try {
      const ask = async () => (closed.has(pool) ? null : charged(means, url, site));
      const sighting = await semaphore.run(ask, { isUrgent });
      if (!sighting) closed.add(pool);
      seen.set(index, sighting ? outcomeOf(looker, sighting) : silent(looker, "held"));
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      seen.set(index, silent(looker, thrown.kind));
      if (ENDS.has(thrown.kind)) closed.add(pool);
    }
  });
  const answered = [...seen].filter(([, { available }]) => available);
  const isSound = !looker.needsCanaries || answered.length === 0 || (await areFound(means));
  if (!isSound) for (const [index] of answered) seen.set(index, silent(looker, "canary_failed"));
  return seen;
}

/** After these, the rest of the batch would only hear the same. */
const ENDS: ReadonlySet<string> = new Set(["quota", "rate_limited", "unauthorized"]);

/** The budget is taken before the look and what it did not use is given back after it; null: there is none now. */
async function charged({ looker, book }: Means, url: string, site: OwnedSite | null) {
  const pool = looker.pool(site);
  const taken = await book.db.tx((tx) => book.take(tx, pool, looker.units, looker.units), txOptions(pool));
  if ("until" in taken) return null;
  try {
    const sighting = await looker.look(url, site);
    await book.db.tx((tx) => book.note(tx, pool, tallyOf(looker, sighting)), txOptions(pool));
    return sighting;
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure)
      await book.db.tx((tx) => book.note(tx, pool, { unknown: 1 }, thrown), txOptions(pool));
    throw thrown;
  }
}

async function areFound(means: Means): Promise<boolean> {
  const { looker, canaries, book } = means;
  let isAsked = false;
  let isHeld = false;
  const found = await canaries.check(looker, async (url) => {
    isAsked = true;
    const sighting = await charged(means, url, null);
    isHeld ||= sighting === null;
    return sighting ?? UNASKED;
  });
  // Noted once, by whoever asked; a budget that has just ended, or a call that failed, is no false answer.
  const isFalse = FALSE_ANSWERS.has(canaries.reasonOf(looker.name) ?? "");
  if (found || !isAsked || isHeld || !isFalse) return found;
  const failure = new UpstreamFailure(looker.name, "canary_failed");
  const pool = looker.pool(null);
  await book.db.tx((tx) => book.note(tx, pool, {}, failure), txOptions(pool));
  return false;
}

const FALSE_ANSWERS: ReadonlySet<string> = new Set([
  "known_page_not_found",
  "no_known_page_answered",
  "absent_page_not_absent",
]);

/** A canary for which no budget is left proves nothing. */
const UNASKED: Sighting = { result: "unknown", counts: {}, used: 0 };

function tallyOf({ units }: Looker, { result, used }: Sighting): Tally {
  const one = { indexed: 0, notIndexed: 0, unknown: 0, unused: units - used };
  if (result === "indexed") return { ...one, indexed: 1 };
  return result === "not_indexed" ? { ...one, notIndexed: 1 } : { ...one, unknown: 1 };
}

function outcomeOf({ name, method }: Looker, { result, authoritative, reason, counts }: Sighting): LookOutcome {
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

function silent({ name, method }: Looker, reason: string): LookOutcome {
  return { result: "unknown", available: false, provider: name, method, reason };
}
