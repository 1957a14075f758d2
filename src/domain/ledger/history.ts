import { and, asc, eq, gte, type SQL, sql, sum } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/**
 * The changes of a balance within a span of time. All numbers are sums of credits; `balance` is the balance at the end of the
 * span.
 */
export interface BalanceChange {
  /** Real time at which the span begins. */
  readonly at: number;
  readonly bought: number;
  readonly spent: number;
  readonly returned: number;
  readonly adjusted: number;
  readonly balance: number;
}

/**
 * The changes of a balance in spans of equal length, oldest first. Spans without a change are left out.
 * @param from real time at which the first span begins
 * @param width milliseconds of a span
 * @param balance the balance now
 */
export async function balanceHistory(
  db: Reader,
  accountId: string,
  { from, width, balance }: { from: number; width: number; balance: number },
): Promise<BalanceChange[]> {
  const { ledger } = db.t;
  const span = sql<number>`(${ledger.at} - ${sql.raw(String(from))}) / ${sql.raw(String(width))}`.mapWith(Number);
  const { kind } = ledger;
  const rows = await db.q
    .select({ span, kind, credits: sum(ledger.credits).mapWith(Number) })
    .from(ledger)
    .where(and(eq(ledger.accountId, accountId), gte(ledger.at, from)))
    .groupBy(span as SQL, kind)
    .orderBy(asc(span));
  const changes = new Map<number, Record<string, number>>();
  for (const { span, kind, credits } of rows) changes.set(span, { ...changes.get(span), [kind]: credits });
  let after = balance;
  const history: BalanceChange[] = [];
  for (const [span, change] of [...changes].reverse()) {
    const { purchase: bought = 0, spend = 0, return: returned = 0, adjustment: adjusted = 0 } = change;
    history.unshift({ at: from + span * width, bought, spent: -spend, returned, adjusted, balance: after });
    after -= bought + spend + returned + adjusted;
  }
  return history;
}

/** Real time of the first entry of an account; null if it has none. */
export async function firstEntryAt(db: Reader, accountId: string): Promise<number | null> {
  const { ledger } = db.t;
  const [row] = await db.q
    .select({ at: ledger.at })
    .from(ledger)
    .where(and(eq(ledger.accountId, accountId), eq(ledger.no, 1)));
  return row?.at ?? null;
}
