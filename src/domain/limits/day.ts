import { and, eq, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { batchesOf, type Increment, SharedCounters } from "./shared-counters.ts";

export function dayOf(now: number): number {
  return Math.floor(now / DAY);
}

export function dailyLimitRefusal(name: "requests_per_day" | "submissions_per_day", now: number): Refusal {
  const seconds = Math.ceil(((dayOf(now) + 1) * DAY - now) / 1000);
  return new Refusal("rate_limited", LIMITS[name].sentence, {}, { "Retry-After": String(seconds) });
}

export async function usageOf(db: Reader, accountId: string, now: number) {
  const query = db.prepared("usage_of_day", ({ q, t: { usage } }) =>
    q
      .select({ requests: usage.requests, submissions: usage.submissions })
      .from(usage)
      .where(and(eq(usage.accountId, sql.placeholder("accountId")), eq(usage.day, sql.placeholder("day")))),
  );
  const [row] = await query.execute({ accountId, day: dayOf(now) });
  return row ?? { requests: 0, submissions: 0 };
}

/** Counts one project or check, in the transaction that creates it. @throws Refusal rate_limited */
export async function countSubmission(tx: Tx, accountId: string, now: number): Promise<void> {
  const { usage } = tx.t;
  const [row] = await tx.q
    .insert(usage)
    .values({ accountId, day: dayOf(now), requests: 0, submissions: 1 })
    .onConflictDoUpdate({
      target: [usage.accountId, usage.day],
      set: { submissions: sql`${usage.submissions} + 1` },
    })
    .returning({ submissions: usage.submissions });
  if (row!.submissions > LIMITS.submissions_per_day.count) throw dailyLimitRefusal("submissions_per_day", now);
}

interface Whose {
  readonly accountId: string;
  readonly day: number;
}

/** One statement, whose own rows decide. */
const REPEATABLE_READ = { isolation: "repeatable read" } as const;

/** Accounts that are held in memory without need. */
const MOST = 50_000;

/**
 * Requests per account and day: counted in memory, written once a second, and corrected by what the others have written.
 * A crash forgets at most that second, and so does a connection that is lost in the middle of a commit; a database that
 * is away loses nothing. Money and submissions are never counted here.
 */
export class DailyRequests {
  readonly #counts = new SharedCounters<Whose>();
  readonly #db: Engine;

  constructor(db: Engine) {
    this.#db = db;
  }

  /** Counts one request. @returns the account's requests today, over all processes to within a second */
  async take(accountId: string, now: number): Promise<number> {
    const day = dayOf(now);
    const key = keyOf({ accountId, day });
    const known = this.#counts.has(key) ? 0 : await this.#known(accountId, now);
    return this.#counts.take(key, () => ({ accountId, day }), known);
  }

  /** Writes what is fresh; calls come one after another. @throws DatabaseUnavailable: it is written the next time */
  async flush(now: number): Promise<void> {
    for (const piece of batchesOf(this.#counts.fresh())) {
      await this.#counts.write(piece, (taken) => this.#add(taken));
    }
    const today = dayOf(now);
    const isCrowded = this.#counts.size > MOST;
    this.#counts.forget(({ day }) => isCrowded || day < today);
  }

  /** The limit is none that has to hold while the database is away: the next flush tells. */
  async #known(accountId: string, now: number): Promise<number> {
    try {
      return (await usageOf(this.#db, accountId, now)).requests;
    } catch (thrown) {
      if (isUnavailable(thrown)) return 0;
      throw thrown;
    }
  }

  /** One statement for all of them. */
  #add(taken: readonly Increment<Whose>[]): Promise<Map<string, number>> {
    return this.#db.tx(async (tx) => {
      const { usage } = tx.t;
      const rows = await tx.q
        .insert(usage)
        .values(taken.map(({ who, count }) => ({ ...who, requests: count, submissions: 0 })))
        .onConflictDoUpdate({
          target: [usage.accountId, usage.day],
          set: { requests: sql`${usage.requests} + excluded.requests` },
        })
        .returning({ accountId: usage.accountId, day: usage.day, requests: usage.requests });
      return new Map(rows.map(({ requests, ...whose }) => [keyOf(whose), requests]));
    }, REPEATABLE_READ);
  }
}

function keyOf({ accountId, day }: Whose): string {
  return `${accountId} ${day}`;
}
