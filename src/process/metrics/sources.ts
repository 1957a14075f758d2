import type { Instance } from "../instance.ts";
import { CachedQuery, type CachedQueryOptions } from "./cached-query.ts";
import { readLateMoney, readLedger, readTotals } from "./totals.ts";

/** How long the sums of the ledger are kept, in ms. Each query reads the whole ledger. */
const LEDGER_MS = 300_000;

/** Where metrics read their values. */
export type Sources = ReturnType<typeof sourcesOf>;

/** @param cache for tests */
export function sourcesOf({ db, clock, config }: Instance, cache?: CachedQueryOptions) {
  const ofLedger = { minIntervalMs: LEDGER_MS, maxAgeMs: 4 * LEDGER_MS, ...cache };
  return {
    db,
    clock,
    config,
    totals: new CachedQuery(() => readTotals(db), cache),
    ledger: new CachedQuery(() => readLedger(db), ofLedger),
    lateMoney: new CachedQuery(() => readLateMoney(db), ofLedger),
  };
}
