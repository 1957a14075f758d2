import { and, eq, inArray, sql } from "drizzle-orm";
import type { Engine, Tx, TxOptions } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { type Clock, HOUR, MINUTE } from "../../platform/clock.ts";
import { dayIn, nextMidnight } from "./calendar.ts";
import { type Retry, UpstreamFailure } from "./failure.ts";
import { holderOf, nameOf, type Quota } from "./quota.ts";

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
export function txOptions({ provider }: Quota): TxOptions {
  return { serializeBy: `provider ${provider}`, isolation: "repeatable read" };
}

/** Why no call may be made now, and until when. */
export interface Hold {
  readonly until: number;
  /** The kind of the failure that was the cause; null if it is the day's budget. */
  readonly reason: string | null;
}

/** Failures in a row after which the circuit breaker holds a provider. */
const BREAKS_AT = 5;

/**
 * Records the calls of providers in the database, so that the record survives a restart and holds for every process: how much of each
 * quota is used, by the provider's own calendar days; which calls succeeded and failed; and until when a provider, or one of its
 * sites, is held. Days and holds are in service time.
 */
export class ProviderBook {
  readonly db: Engine;
  readonly clock: Clock;

  constructor(db: Engine, clock: Clock) {
    this.db = db;
    this.clock = clock;
  }

  /**
   * Takes up to `wanted` units of today's quota for one call, and at least `least`.
   * @returns how many, or why it may not be made now
   */
  async take(tx: Tx, quota: Quota, wanted: number, least = 1): Promise<{ granted: number } | Hold> {
    const now = this.clock.service();
    const [held] = (await this.#statesOf(tx, quota)).sort((a, b) => (b.heldUntil ?? 0) - (a.heldUntil ?? 0));
    if (held?.heldUntil && held.heldUntil > now) return { until: held.heldUntil, reason: held.reason };
    const granted =
      quota.daily === null ? wanted : Math.min(wanted, quota.daily - (await this.#usedToday(tx, quota, now)));
    if (granted < least) return { until: nextMidnight(quota.zone, now), reason: null };
    await this.#add(tx, quota, now, { calls: 1, units: granted, cost: granted * quota.price });
    return { granted };
  }

  /**
   * Makes one call, with `units` taken before, and records its outcome by `tallyOf`.
   * @returns null when it may not be made now. @throws UpstreamFailure, recorded
   */
  async within<T>(quota: Quota, units: number, call: () => Promise<T>, tallyOf: (result: T) => Tally) {
    const inTx = <R>(work: (tx: Tx) => Promise<R>) => this.db.tx(work, txOptions(quota));
    const taken = await inTx((tx) => this.take(tx, quota, units, units));
    if ("until" in taken) return null;
    try {
      const result = await call();
      await inTx((tx) => this.note(tx, quota, tallyOf(result)));
      return result;
    } catch (thrown) {
      if (thrown instanceof UpstreamFailure) await inTx((tx) => this.note(tx, quota, { unknown: 1 }, thrown));
      throw thrown;
    }
  }

  /** Records the outcomes of one or more calls. */
  async note(tx: Tx, quota: Quota, tally: Tally, failure?: UpstreamFailure): Promise<void> {
    const { unused = 0, ...counts } = tally;
    const now = this.clock.service();
    // A provider that refuses a URL works.
    const trouble = failure?.concerns === "url" && failure.retry === "never" ? undefined : failure;
    const changed = { ...counts, units: -unused, cost: -unused * quota.price, failures: trouble ? 1 : 0 };
    await this.#add(tx, quota, now, changed);
    const states = await this.#statesOf(tx, quota);
    if (trouble) await this.#recordFailure(tx, quota, trouble, states, now);
    else await this.#recordSuccess(tx, quota, states, now);
  }

  async #recordFailure(tx: Tx, quota: Quota, failure: UpstreamFailure, states: readonly State[], now: number) {
    const { providers } = tx.t;
    const name = holderOf(quota, failure.concerns);
    const before = states.find((state) => state.name === name);
    const failures = (before?.failures ?? 0) + 1;
    const heldUntil = later(before?.heldUntil ?? null, holdOf(failure, failures, quota, now));
    const set = { failedAt: this.clock.now(), failures, reason: failure.kind, heldUntil };
    await tx.q
      .insert(providers)
      .values({ name, okAt: null, ...set })
      .onConflictDoUpdate({ target: providers.name, set });
  }

  /** A site, and the credential of an account, have a row only while their calls fail. */
  async #recordSuccess(tx: Tx, quota: Quota, states: readonly State[], now: number) {
    const { providers } = tx.t;
    const set = { okAt: this.clock.now(), failures: 0, reason: null };
    await tx.q
      .insert(providers)
      .values({ name: quota.provider, failedAt: null, heldUntil: null, ...set })
      .onConflictDoUpdate({ target: providers.name, set });
    const own = states.filter(({ name }) => name !== quota.provider);
    // A call that was begun before the site was held says nothing about it.
    for (const { name, heldUntil } of own)
      if ((heldUntil ?? 0) <= now) await tx.q.delete(providers).where(eq(providers.name, name));
  }

  /** The rows of the provider, the site and the credential, where they exist. */
  async #statesOf(tx: Tx, quota: Quota): Promise<State[]> {
    const { providers } = tx.t;
    const concerns = ["provider", "site", "access", "credential"] as const;
    const names = [...new Set(concerns.map((concern) => holderOf(quota, concern)))];
    return tx.q.select().from(providers).where(inArray(providers.name, names));
  }

  async #usedToday(tx: Tx, quota: Quota, now: number): Promise<number> {
    const { providerDays } = tx.t;
    const [row] = await tx.q
      .select({ units: providerDays.units })
      .from(providerDays)
      .where(and(eq(providerDays.name, nameOf(quota)), eq(providerDays.day, dayIn(quota.zone, now))));
    return row?.units ?? 0;
  }

  async #add(tx: Tx, quota: Quota, now: number, counts: Partial<Record<Counter, number>>): Promise<void> {
    const { providerDays } = tx.t;
    const values = { name: nameOf(quota), day: dayIn(quota.zone, now), ...ZERO, ...counts };
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

type State = Schema["providers"]["$inferSelect"];

/** Until when nothing is called after a failure; null if it may be called again at once. */
function holdOf({ concerns, retry, until }: UpstreamFailure, failures: number, quota: Quota, now: number) {
  if (concerns === "url") return null;
  return until ?? HOLDS[retry](failures, quota, now);
}

const HOLDS: Readonly<Record<Retry, (failures: number, quota: Quota, now: number) => number | null>> = {
  now: (failures, _, now) => breaker(failures, now),
  soon: (failures, _, now) => now + doubled(failures),
  hour: (_, __, now) => now + HOUR,
  day: (_, quota, now) => nextMidnight(quota.zone, now),
  // What is refused for good is asked again now and then: its owner may have mended it.
  never: (_, __, now) => now + HOUR,
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
