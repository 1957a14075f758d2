import type { Engine } from "../../db/engine.ts";
import { KeyCalls } from "../domain/calls/key-calls.ts";
import { LastUsed } from "../domain/calls/last-used.ts";
import { addressKey } from "../domain/limits/address-key.ts";
import { DailyRequests, dailyLimitRefusal } from "../domain/limits/day.ts";
import { MinuteWindows, rateHeaders, refuseOverLimit, windowUsage } from "../domain/limits/minute.ts";
import type { Counter } from "../domain/limits/shared-counters.ts";
import { type Awaitable, andThen } from "../platform/awaitable.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { LIMITS } from "../platform/limits.ts";
import type { Principal } from "../platform/principal.ts";

/** A request that was counted. */
export interface Counted {
  /** Its RateLimit headers, which every answer to it carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Those of the account, with this one. */
  readonly requestsToday: number;
}

/** What counts the requests of a known principal. They are held, so that they need not be looked for at each request. */
interface Counters {
  readonly minute: HeldCounter;
  readonly day: HeldCounter;
  readonly calls: HeldCounter;
}

type HeldCounter = Pick<Counter<unknown>, "total" | "isKept" | "take">;

/** Counts requests of one process in memory, refuses those over a limit, and shares the counts with the other processes. */
export class RequestCounts {
  readonly #windows = new MinuteWindows();
  readonly #days: DailyRequests;
  readonly #lastUsed: LastUsed;
  readonly #keyCalls: KeyCalls;
  readonly #held = new WeakMap<Principal, Counters>();
  readonly #db: Engine;
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Engine) {
    this.#db = db;
    this.#days = new DailyRequests(db);
    this.#lastUsed = new LastUsed(db);
    this.#keyCalls = new KeyCalls(db);
  }

  /** Counts a request for its minute and its day. @throws Refusal rate_limited */
  take(principal: Principal, now: number): Awaitable<Counted> {
    const headers = this.takeOf(principal.credential.id, now);
    return andThen(this.#days.take(principal.accountId, now), (requestsToday) => {
      if (requestsToday > LIMITS.requests_per_day.count)
        throw withHeaders(dailyLimitRefusal("requests_per_day", now), headers);
      return { headers, requestsToday };
    });
  }

  /** Records when a credential was used, and how often. */
  recordUse({ accountId, credential }: Principal, now: number): void {
    this.#lastUsed.touch(credential, now);
    this.#keyCalls.count(accountId, credential.id, now);
  }

  /** `take` and `recordUse` without a query. @returns null where `take` has to decide, at a limit above all; nothing is counted then */
  takeKnown(principal: Principal, now: number): Counted | null {
    const counters = this.#countersOf(principal, now);
    if (!counters) return null;
    const { minute, day, calls } = counters;
    const { requests_per_minute, requests_per_day } = LIMITS;
    if (minute.total >= requests_per_minute.count || day.total >= requests_per_day.count) return null;
    calls.take();
    const requestsToday = day.take();
    return { headers: rateHeaders(windowUsage("requests_per_minute", minute.take(), now)), requestsToday };
  }

  /** The counters of a known principal, found anew each minute, when its use is recorded; null where one has to be read. */
  #countersOf(principal: Principal, now: number): Counters | null {
    const held = this.#held.get(principal);
    const isKept = held?.minute.isKept && held.day.isKept && held.calls.isKept;
    if (isKept && this.#windows.isCurrent(now)) return held;
    const { accountId, credential } = principal;
    const day = this.#days.find(accountId, now);
    if (!day) return null;
    this.#lastUsed.touch(credential, now);
    const minute = this.#windows.counterOf("requests_per_minute", credential.id, now);
    const counters = { minute, day, calls: this.#keyCalls.counterOf(accountId, credential.id, now) };
    this.#held.set(principal, counters);
    return counters;
  }

  /** Counts one request of a credential. @returns its RateLimit headers @throws Refusal rate_limited */
  takeOf(credentialId: string, now: number): Record<string, string> {
    return this.#take("requests_per_minute", credentialId, now);
  }

  /** Counts one request without a valid credential. @returns its RateLimit headers @throws Refusal rate_limited */
  takeAnonymous(ip: string, now: number): Record<string, string> {
    return this.#take("anonymous_requests_per_minute", addressKey(ip), now);
  }

  #take(name: Parameters<MinuteWindows["take"]>[0], key: string, now: number): Record<string, string> {
    const window = this.#windows.take(name, key, now);
    refuseOverLimit(name, window);
    return rateHeaders(window);
  }

  /**
   * Writes the counts that are due, and reads those of other processes. Each flush waits for the one before. Counts of a minute
   * are of use to other processes only: a process that is alone with its database does not write them, which would be a row a
   * second for each caller.
   * @throws DatabaseUnavailable; the counts are then written by the next flush
   */
  flushDue(now: () => number): Promise<void> {
    return this.#flushAfter(() => [
      ...(this.#db.isAlone?.() ? [] : [this.#windows.share(this.#db, now())]),
      this.#keyCalls.flushEachMinute(now()),
      ...this.#flushDaysAndUses(now()),
    ]);
  }

  /** Writes all counts. @throws DatabaseUnavailable */
  flush(now: () => number): Promise<void> {
    return this.#flushAfter(() => [
      this.#windows.share(this.#db, now()),
      this.#keyCalls.flush(),
      ...this.#flushDaysAndUses(now()),
    ]);
  }

  #flushDaysAndUses(now: number): Promise<void>[] {
    return [this.#days.flush(now), this.#lastUsed.flush()];
  }

  #flushAfter(begin: () => Promise<void>[]): Promise<void> {
    const flushed = this.#flushing.then(async () => {
      // Begun together, they are one write to the disk on SQLite. If one fails, the others are still made.
      const writes = await Promise.allSettled(begin());
      const failed = writes.find((write) => write.status === "rejected");
      if (failed) throw failed.reason;
    });
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }
}

/** The same refusal with these headers, too. */
export function withHeaders(refusal: Refusal, headers: Readonly<Record<string, string>>): Refusal {
  return new Refusal(refusal.code, refusal.message, refusal.fields, { ...refusal.headers, ...headers });
}
