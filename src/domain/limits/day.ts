import { and, eq, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { type CountedRows, SharedCounters } from "./shared-counters.ts";

/** The number of the UTC day since 1970. */
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

/** An account on one day. */
interface AccountDay {
  readonly accountId: string;
  readonly day: number;
}

/** The transaction is one statement, which depends on no other rows. */
const ONE_STATEMENT = { isolation: "repeatable read" } as const;

/** Most accounts in memory whose count is written already. */
const MAX_ACCOUNTS = 50_000;

/**
 * Requests per account and day: counted in memory, written once a second, and corrected by what other processes wrote. A
 * crash, or a connection lost during a commit, loses at most the counts of that second; an unavailable database loses
 * none. Money and submissions are never counted here.
 */
export class DailyRequests {
  readonly #counts = new SharedCounters<AccountDay>();
  readonly #rows: CountedRows<AccountDay>;
  /** The latest day whose predecessors are forgotten. */
  #day = 0;
  readonly #db: Engine;

  constructor(db: Engine) {
    this.#db = db;
    this.#rows = {
      rowOf: ({ accountId, day }, count) => ({ accountId, day, requests: count, submissions: 0 }),
      add: (rows) =>
        db.tx(async (tx) => {
          const totals = await adding(tx).execute({ rows });
          return new Map(totals.map(({ accountId, day, requests }) => [keyOf(accountId, day), requests]));
        }, ONE_STATEMENT),
    };
  }

  /** Counts one request. @returns the account's requests today, over all processes to within a second */
  async take(accountId: string, now: number): Promise<number> {
    const day = dayOf(now);
    const key = keyOf(accountId, day);
    const known = this.#counts.find(key);
    if (known) return known.take();
    const stored = await this.#stored(accountId, now);
    return this.#counts.of(key, () => ({ accountId, day }), stored).take();
  }

  /** Writes new counts; calls must not overlap. @throws DatabaseUnavailable; the next call writes them */
  async flush(now: number): Promise<void> {
    await this.#counts.flush(this.#rows);
    const today = dayOf(now);
    const isFull = this.#counts.size > MAX_ACCOUNTS;
    if (!isFull && today === this.#day) return;
    this.#counts.forget(({ day }) => isFull || day < today);
    this.#day = today;
  }

  /** The stored count; 0 while the database is unavailable, until the next flush corrects it. */
  async #stored(accountId: string, now: number): Promise<number> {
    try {
      return (await usageOf(this.#db, accountId, now)).requests;
    } catch (thrown) {
      if (isUnavailable(thrown)) return 0;
      throw thrown;
    }
  }
}

const adding = (tx: Tx) =>
  tx.prepared("add_to_usage", ({ q, t: { usage } }) =>
    q
      .insert(usage)
      .select(tx.rowsOf(usage))
      .onConflictDoUpdate({
        target: [usage.accountId, usage.day],
        set: { requests: sql`${usage.requests} + excluded.requests` },
      })
      .returning({ accountId: usage.accountId, day: usage.day, requests: usage.requests }),
  );

function keyOf(accountId: string, day: number): string {
  return `${accountId} ${day}`;
}
