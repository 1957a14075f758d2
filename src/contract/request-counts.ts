import type { Engine } from "../../db/engine.ts";
import { KeyCalls } from "../domain/calls/key-calls.ts";
import { LastUsed } from "../domain/calls/last-used.ts";
import { addressKey } from "../domain/limits/address-key.ts";
import { DailyRequests, dailyLimitRefusal } from "../domain/limits/day.ts";
import { MinuteWindows, rateHeaders, refuseOverLimit } from "../domain/limits/minute.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { LIMITS } from "../platform/limits.ts";
import type { Principal } from "../platform/principal.ts";

/** A request that was counted. */
export interface Counted {
  /** Its RateLimit headers, which every answer to it carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests of the account today, this one included. */
  readonly requestsToday: number;
}

/** Counts requests of one process in memory, refuses requests over a limit, and shares the counts with the other processes. */
export class RequestCounts {
  readonly #windows = new MinuteWindows();
  /** Not shared with other processes: nobody gains much by asking for a page at a second one. */
  readonly #pages = new MinuteWindows();
  readonly #days: DailyRequests;
  readonly #lastUsed: LastUsed;
  readonly #keyCalls: KeyCalls;
  readonly #db: Engine;
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Engine) {
    this.#db = db;
    this.#days = new DailyRequests(db);
    this.#lastUsed = new LastUsed(db);
    this.#keyCalls = new KeyCalls(db);
  }

  /** Counts a request for its minute and its day. @throws Refusal rate_limited */
  async take(principal: Principal, now: number): Promise<Counted> {
    const headers = this.takeOf(principal.credential.id, now);
    const requestsToday = await this.#days.take(principal.accountId, now);
    if (requestsToday > LIMITS.requests_per_day.count)
      throw withHeaders(dailyLimitRefusal("requests_per_day", now), headers);
    return { headers, requestsToday };
  }

  /** Records when a credential was used, and how often. */
  recordUse({ accountId, credential }: Principal, now: number): void {
    const isFirstOfMinute = this.#keyCalls.count(accountId, credential.id, now);
    if (isFirstOfMinute) this.#lastUsed.touch(credential, now);
  }

  /** Counts one request of a credential. @returns its RateLimit headers @throws Refusal rate_limited */
  takeOf(credentialId: string, now: number): Record<string, string> {
    return this.#take("requests_per_minute", credentialId, now);
  }

  /** Counts one request without a valid credential. @returns its RateLimit headers @throws Refusal rate_limited */
  takeAnonymous(ip: string, now: number): Record<string, string> {
    return this.#take("anonymous_requests_per_minute", addressKey(ip), now);
  }

  /** Counts one page or document of the website. @throws Refusal rate_limited */
  takePage(ip: string, now: number): void {
    refuseOverLimit("pages_per_minute", this.#pages.take("pages_per_minute", addressKey(ip), now));
  }

  #take(name: Parameters<MinuteWindows["take"]>[0], key: string, now: number): Record<string, string> {
    const window = this.#windows.take(name, key, now);
    refuseOverLimit(name, window);
    return rateHeaders(window);
  }

  /**
   * Writes the counts whose time has come, and reads the counts of other processes. Each flush waits for the one before.
   * @throws DatabaseUnavailable; the counts are then written by the next flush
   */
  flushDue(now: () => number): Promise<void> {
    return this.#flushAfter(() => [
      this.#windows.share(this.#db, now()),
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
