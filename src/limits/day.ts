import { and, eq, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../db/engine.ts";
import { DAY } from "../clock.ts";
import { Refusal } from "../errors.ts";
import { LIMITS } from "./table.ts";

export function dayOf(now: number): number {
  return Math.floor(now / DAY);
}

export function refuseToday(name: "requests_per_day" | "submissions_per_day", now: number): Refusal {
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

async function add(tx: Tx, accountId: string, day: number, requests: number, submissions: number) {
  const { usage } = tx.t;
  const [row] = await tx.q
    .insert(usage)
    .values({ accountId, day, requests, submissions })
    .onConflictDoUpdate({
      target: [usage.accountId, usage.day],
      set: {
        requests: sql`${usage.requests} + ${requests}`,
        submissions: sql`${usage.submissions} + ${submissions}`,
      },
    })
    .returning();
  return row!;
}

/** Counts one project or check, in the transaction that creates it. @throws Refusal rate_limited */
export async function countSubmission(tx: Tx, accountId: string, now: number): Promise<void> {
  const { submissions } = await add(tx, accountId, dayOf(now), 0, 1);
  if (submissions > LIMITS.submissions_per_day.count) throw refuseToday("submissions_per_day", now);
}

interface Count {
  day: number;
  /** What the database says, or said last. */
  known: number;
  /** Counted here and not written yet. */
  fresh: number;
}

/**
 * Requests per account and day: counted in memory, written once a second. A crash forgets at most that
 * second; money and submissions are never counted here.
 */
export class DayCounts {
  #counts = new Map<string, Count>();
  readonly #db: Engine;

  constructor(db: Engine) {
    this.#db = db;
  }

  /** Counts one request. @returns the account's requests today, over all processes to within a second */
  async take(accountId: string, now: number): Promise<number> {
    const day = dayOf(now);
    let count = this.#counts.get(accountId);
    if (count?.day !== day) {
      const known = (await usageOf(this.#db, accountId, now)).requests;
      count = this.#counts.get(accountId);
      if (count?.day !== day) {
        count = { day, known, fresh: 0 };
        this.#counts.set(accountId, count);
      }
    }
    count.fresh += 1;
    return count.known + count.fresh;
  }

  async flush(): Promise<void> {
    const dirty = [...this.#counts].filter(([, count]) => count.fresh > 0);
    if (dirty.length === 0) return;
    const written = dirty.map(([accountId, count]) => ({ accountId, count, fresh: count.fresh }));
    await this.#db.tx(async (tx) => {
      for (const { accountId, count, fresh } of written) {
        const { requests } = await add(tx, accountId, count.day, fresh, 0);
        count.known = requests - fresh;
      }
    });
    for (const { count, fresh } of written) {
      count.known += fresh;
      count.fresh -= fresh;
    }
    if (this.#counts.size > 50_000) this.#counts.clear();
  }
}
