import { sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { type CountedRows, SharedCounters } from "./shared-counters.ts";

/** Limits that each process counts in memory. */
export type MinuteLimit = "requests_per_minute" | "anonymous_requests_per_minute" | "pages_per_minute";

/** A caller's use of the current minute, for the RateLimit fields of draft-ietf-httpapi-ratelimit-headers-07. */
export interface WindowUsage {
  readonly limit: number;
  readonly used: number;
  readonly resetSeconds: number;
}

/** The transaction is one statement, which depends on no other rows. */
const ONE_STATEMENT = { isolation: "repeatable read" } as const;

interface Caller {
  readonly name: MinuteLimit;
  readonly key: string;
}

/**
 * Fixed windows of one minute. Each process counts in memory; once a second `share` adds the new counts to a row in the
 * database and reads the total. A caller that spreads its requests over several processes can exceed its limit only by
 * what the others accepted since the last call of `share`.
 */
export class MinuteWindows {
  #minute = 0;
  #callers = new SharedCounters<Caller>();

  /** Counts one request of `key`. @returns the use of the minute, with this request */
  take(name: MinuteLimit, key: string, now: number): WindowUsage {
    const minute = this.#currentMinute(now);
    const used = this.#callers.of(key, () => ({ name, key })).take();
    return {
      limit: LIMITS[name].count,
      used,
      resetSeconds: Math.ceil(((minute + 1) * MINUTE - now) / 1000),
    };
  }

  /**
   * Adds new counts to the database and reads the totals of all processes. Writes nothing if there were no requests.
   * Counts of a minute that is over are dropped.
   * @throws DatabaseUnavailable; the next call writes them
   */
  async share(db: Engine, now: number): Promise<void> {
    const minute = this.#currentMinute(now);
    await this.#callers.flush(rowsOf(db, minute));
  }

  /** Starts a new window when the minute has changed. @returns the number of the minute */
  #currentMinute(now: number): number {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      // New counters, because the old ones may be being written.
      this.#callers = new SharedCounters();
    }
    return minute;
  }
}

/** The counts of one minute; the totals are without rows of another. */
function rowsOf(db: Engine, minute: number): CountedRows<Caller> {
  return {
    rowOf: ({ key, name }, count) => ({ subject: key, name, window: minute, count }),
    add: (rows) =>
      db.tx(async (tx) => {
        const totals = (await adding(tx).execute({ rows })).filter(({ window }) => window === minute);
        return new Map(totals.map(({ subject, count }) => [subject, count]));
      }, ONE_STATEMENT),
  };
}

const adding = (tx: Tx) =>
  tx.prepared("add_to_windows", ({ q, t: { windows } }) => {
    const isSame = sql`${windows.window} = excluded.${sql.identifier("window")}`;
    const isOlder = sql`${windows.window} < excluded.${sql.identifier("window")}`;
    return q
      .insert(windows)
      .select(tx.rowsOf(windows))
      .onConflictDoUpdate({
        target: [windows.subject, windows.name],
        set: {
          count: sql`CASE WHEN ${isSame} THEN ${windows.count} + excluded.count WHEN ${isOlder} THEN excluded.count ELSE ${windows.count} END`,
          // A process whose clock is behind does not overwrite a newer minute.
          window: sql`CASE WHEN ${isOlder} THEN excluded.${sql.identifier("window")} ELSE ${windows.window} END`,
        },
      })
      .returning({ subject: windows.subject, window: windows.window, count: windows.count });
  });

export function rateHeaders({ limit, used, resetSeconds }: WindowUsage): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(Math.max(0, limit - used)),
    "RateLimit-Reset": String(resetSeconds),
    "RateLimit-Policy": `${limit};w=60`,
  };
}

export function refuseOverLimit(name: MinuteLimit, usage: WindowUsage): void {
  if (usage.used <= usage.limit) return;
  throw new Refusal(
    "rate_limited",
    `${LIMITS[name].sentence} Try again in ${usage.resetSeconds} s.`,
    {},
    {
      ...rateHeaders(usage),
      "Retry-After": String(usage.resetSeconds),
    },
  );
}
