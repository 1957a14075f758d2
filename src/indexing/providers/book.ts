import { and, eq, sql } from "drizzle-orm";
import type { Engine, Tx, TxOptions } from "../../../db/engine.ts";
import { type Clock, HOUR, MINUTE } from "../../platform/clock.ts";
import { dayIn, nextMidnight } from "./calendar.ts";
import type { FailureKind, UpstreamFailure } from "./failure.ts";
import type { Quota } from "./quota.ts";

/** Outcomes of calls against one quota, in URLs. */
export interface Tally {
  readonly accepted?: number;
  readonly rejected?: number;
  readonly uncertain?: number;
  readonly indexed?: number;
  readonly notIndexed?: number;
  readonly unknown?: number;
  /** Units that were taken from the quota and not used. */
  readonly unused?: number;
}

/** The tally of one call that submitted URLs, from the outcome of each. A deferred URL has used no unit. */
export function tallyOfSends(outcomes: readonly { readonly kind: string }[]): Tally {
  const count = (kind: string) => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    accepted: count("accepted"),
    rejected: count("rejected"),
    uncertain: count("uncertain"),
    unused: count("deferred"),
  };
}

/**
 * All calls of a provider change its rows, so their transactions are serialized. REPEATABLE READ is enough. The worst
 * case is a call that begins just before another transaction holds the provider.
 */
export function txOptions({ name }: Quota): TxOptions {
  return { serializeBy: `provider ${name}`, isolation: "repeatable read" };
}

/** Failures in a row after which the circuit breaker holds a provider. */
const BREAKS_AT = 5;
const UNAUTHORIZED_HOLD = HOUR;
const CANARY_HOLD = 10 * MINUTE;

/**
 * Records the calls of providers and their outcomes: the use of quotas by the provider's own calendar days, success
 * and failure, and until when a provider is held. The database keeps them, so that they survive a restart and apply
 * to every process. Days and holds are in service time.
 */
export class ProviderBook {
  readonly db: Engine;
  readonly #clock: Clock;

  constructor(db: Engine, clock: Clock) {
    this.db = db;
    this.#clock = clock;
  }

  /**
   * Takes up to `wanted` units of today's quota for one call, and at least `least`.
   * @returns how many, or the time at which there is quota again
   */
  async take(tx: Tx, quota: Quota, wanted: number, least = 1): Promise<{ granted: number } | { until: number }> {
    const now = this.#clock.service();
    const { providers } = tx.t;
    const [state] = await tx.q
      .select({ heldUntil: providers.heldUntil })
      .from(providers)
      .where(eq(providers.name, quota.name));
    if (state?.heldUntil && state.heldUntil > now) return { until: state.heldUntil };
    const granted =
      quota.daily === null ? wanted : Math.min(wanted, quota.daily - (await this.#usedToday(tx, quota, now)));
    if (granted < least) return { until: nextMidnight(quota.zone, now) };
    await this.#add(tx, quota, now, { calls: 1, units: granted, cost: granted * quota.price });
    return { granted };
  }

  /** Records the outcomes of one or more calls. */
  async note(tx: Tx, quota: Quota, tally: Tally, failure?: UpstreamFailure): Promise<void> {
    const { providers } = tx.t;
    const { unused = 0, ...counts } = tally;
    const now = this.#clock.service();
    const changed = { ...counts, units: -unused, cost: -unused * quota.price, failures: failure ? 1 : 0 };
    await this.#add(tx, quota, now, changed);
    const [before] = await tx.q.select().from(providers).where(eq(providers.name, quota.name));
    const failures = failure ? (before?.failures ?? 0) + 1 : 0;
    const set = failure
      ? {
          failedAt: this.#clock.now(),
          failures,
          reason: failure.kind,
          heldUntil: later(before?.heldUntil ?? null, holdOf(failure, failures, quota, now)),
        }
      : { okAt: this.#clock.now(), failures: 0, reason: null };
    const row = { name: quota.name, okAt: null, failedAt: null, heldUntil: null, ...set };
    await tx.q.insert(providers).values(row).onConflictDoUpdate({ target: providers.name, set });
  }

  async #usedToday(tx: Tx, quota: Quota, now: number): Promise<number> {
    const { providerDays } = tx.t;
    const [row] = await tx.q
      .select({ units: providerDays.units })
      .from(providerDays)
      .where(and(eq(providerDays.name, quota.name), eq(providerDays.day, dayIn(quota.zone, now))));
    return row?.units ?? 0;
  }

  async #add(tx: Tx, quota: Quota, now: number, counts: Partial<Record<Counter, number>>): Promise<void> {
    const { providerDays } = tx.t;
    const values = { name: quota.name, day: dayIn(quota.zone, now), ...ZERO, ...counts };
    const set = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, sql`${providerDays[name as Counter]} + ${count}`]),
    );
    await tx.q
      .insert(providerDays)
      .values(values)
      .onConflictDoUpdate({ target: [providerDays.name, providerDays.day], set });
  }
}

const ZERO = {
  calls: 0,
  units: 0,
  accepted: 0,
  rejected: 0,
  uncertain: 0,
  indexed: 0,
  notIndexed: 0,
  unknown: 0,
  failures: 0,
  cost: 0,
};
type Counter = keyof typeof ZERO;

/** Until when a provider is held after a failure; null if it may be called again at once. */
function holdOf({ kind, until }: UpstreamFailure, failures: number, quota: Quota, now: number): number | null {
  if (until !== undefined) return until;
  return HOLDS[kind]?.(failures, quota, now) ?? breaker(failures, now);
}

const HOLDS: Partial<Record<FailureKind, (failures: number, quota: Quota, now: number) => number>> = {
  quota: (_, quota, now) => nextMidnight(quota.zone, now),
  rate_limited: (failures, _, now) => now + doubled(failures),
  unauthorized: (_, __, now) => now + UNAUTHORIZED_HOLD,
  canary_failed: (_, __, now) => now + CANARY_HOLD,
};

/** The circuit breaker. Some failures are normal. Many in a row are an outage, in which more calls would do harm. */
function breaker(failures: number, now: number): number | null {
  return failures < BREAKS_AT ? null : now + doubled(failures - BREAKS_AT + 1);
}

function doubled(times: number): number {
  return Math.min(HOUR, MINUTE * 2 ** Math.max(0, times - 1));
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
