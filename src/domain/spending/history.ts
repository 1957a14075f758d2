import { and, eq, gte, inArray, sql, sum } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** Credits spent on one UTC day. */
export interface DayOfSpending {
  /** The start of the day, in ms. */
  readonly at: number;
  readonly credits: number;
}

/** What credentials of an account have spent on each of the last days, oldest first, today included; 0 where it was nothing. */
export async function spendingByDay(
  db: Reader,
  {
    accountId,
    credentials,
    days,
    now,
  }: { accountId: string; credentials: readonly string[]; days: number; now: number },
): Promise<DayOfSpending[]> {
  const { ledger } = db.t;
  const first = Math.floor(now / DAY) - days + 1;
  const day = sql<number>`${ledger.at} / ${sql.raw(String(DAY))}`.mapWith(Number);
  const isTheirs = and(eq(ledger.accountId, accountId), inArray(ledger.credential, [...credentials]));
  const rows = await db.q
    .select({ day, credits: sum(ledger.credits).mapWith(Number) })
    .from(ledger)
    .where(and(isTheirs, eq(ledger.kind, "spend"), gte(ledger.at, first * DAY)))
    .groupBy(day);
  const spent = new Map(rows.map((row) => [row.day, -row.credits]));
  return Array.from({ length: days }, (_, back) => ({
    at: (first + back) * DAY,
    credits: spent.get(first + back) ?? 0,
  }));
}
