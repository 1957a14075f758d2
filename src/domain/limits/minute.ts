import { sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { batchesOf, type Increment, SharedCounters } from "./shared-counters.ts";

type MinuteLimit = "requests_per_minute" | "anonymous_requests_per_minute";

/** Where a caller stands in its minute: the RateLimit fields of draft-ietf-httpapi-ratelimit-headers-07. */
export interface WindowUsage {
  readonly limit: number;
  readonly used: number;
  readonly resetSeconds: number;
}

/** One statement, whose own rows decide. */
const REPEATABLE_READ = { isolation: "repeatable read" } as const;

interface Caller {
  readonly name: MinuteLimit;
  readonly key: string;
}

/**
 * Fixed windows of one minute. Each process counts in memory; once a second `share` adds what is fresh to a row that all
 * have, and learns what the others have added. So a caller that spreads its requests over several processes passes its
 * limit by what the others let through since the last second's share, and by no more.
 */
export class MinuteWindows {
  #minute = 0;
  #callers = new SharedCounters<Caller>();

  /** Counts one request of `key`, and says where it stands now. */
  take(name: MinuteLimit, key: string, now: number): WindowUsage {
    const minute = this.#turn(now);
    const used = this.#callers.take(key, () => ({ name, key }));
    return { limit: LIMITS[name].count, used, resetSeconds: Math.ceil(((minute + 1) * MINUTE - now) / 1000) };
  }

  /** How many requests of `key` this minute has seen. */
  used(key: string, now: number): number {
    return Math.floor(now / MINUTE) === this.#minute ? this.#callers.of(key) : 0;
  }

  /**
   * Tells the other processes of those who called since the last time, and learns of theirs. Writes nothing when nobody
   * called. What a minute that is over has left untold is of no use to anybody.
   * @throws DatabaseUnavailable: it is told the next time
   */
  async share(db: Engine, now: number): Promise<void> {
    const minute = this.#turn(now);
    const callers = this.#callers;
    for (const piece of batchesOf(callers.fresh())) {
      await callers.write(piece, (taken) => addAll(db, minute, taken));
    }
  }

  #turn(now: number): number {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#callers = new SharedCounters();
    }
    return minute;
  }
}

/** One statement for all of them. @returns the totals, without those whose row is of another minute than ours */
function addAll(db: Engine, minute: number, taken: readonly Increment<Caller>[]): Promise<Map<string, number>> {
  return db.tx(async (tx) => {
    const { windows } = tx.t;
    const isSame = sql`${windows.window} = excluded.${sql.identifier("window")}`;
    const isOlder = sql`${windows.window} < excluded.${sql.identifier("window")}`;
    const rows = await tx.q
      .insert(windows)
      .values(taken.map(({ who: { key, name }, count }) => ({ subject: key, name, window: minute, count })))
      .onConflictDoUpdate({
        target: [windows.subject, windows.name],
        set: {
          count: sql`CASE WHEN ${isSame} THEN ${windows.count} + excluded.count WHEN ${isOlder} THEN excluded.count ELSE ${windows.count} END`,
          // A process whose clock is late leaves a newer minute as it is.
          window: sql`CASE WHEN ${isOlder} THEN excluded.${sql.identifier("window")} ELSE ${windows.window} END`,
        },
      })
      .returning({ subject: windows.subject, window: windows.window, count: windows.count });
    return new Map(rows.filter(({ window }) => window === minute).map(({ subject, count }) => [subject, count]));
  }, REPEATABLE_READ);
}

export function rateHeaders({ limit, used, resetSeconds }: WindowUsage): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(Math.max(0, limit - used)),
    "RateLimit-Reset": String(resetSeconds),
    "RateLimit-Policy": `${limit};w=60`,
  };
}

export function refuseOverLimit(name: MinuteLimit, standing: WindowUsage): void {
  if (standing.used <= standing.limit) return;
  throw new Refusal(
    "rate_limited",
    `${LIMITS[name].sentence} Try again in ${standing.resetSeconds} s.`,
    {},
    {
      ...rateHeaders(standing),
      "Retry-After": String(standing.resetSeconds),
    },
  );
}
