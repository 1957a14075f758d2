import { and, type Column, eq, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { calendarDay } from "./calendar.ts";
import type { SpendingLimits } from "./limits.ts";

export type BudgetRow = Schema["budgets"]["$inferSelect"];

/** Whose budget it is. */
export interface BudgetKey {
  readonly accountId: string;
  readonly holder: string;
}

/** The budget of a holder; null while nothing limits it and it has spent nothing. */
export async function budgetOf(db: Reader, { accountId, holder }: BudgetKey): Promise<BudgetRow | null> {
  const query = db.prepared("budget", ({ q, t: { budgets } }) =>
    q
      .select()
      .from(budgets)
      .where(and(eq(budgets.accountId, sql.placeholder("accountId")), eq(budgets.holder, sql.placeholder("holder")))),
  );
  const [row] = await query.execute({ accountId, holder });
  return row ?? null;
}

/** The budgets of some holders, by one query. */
export async function budgetsOf(
  db: Reader,
  accountId: string,
  holders: readonly string[],
): Promise<ReadonlyMap<string, BudgetRow>> {
  const { budgets } = db.t;
  const isTheirs = and(eq(budgets.accountId, accountId), inArray(budgets.holder, [...holders]));
  return new Map((await db.q.select().from(budgets).where(isTheirs)).map((row) => [row.holder, row]));
}

/**
 * Sets the limits of a budget; what was spent stays. A call that is being made is held to them if it has not spent yet.
 * @param expiresAt the end of an app or agent, in real time; absent: it stays as it is
 */
export async function setLimits(
  tx: Tx,
  { accountId, holder }: BudgetKey,
  { expiresAt, ...limits }: SpendingLimits & { readonly expiresAt?: number | null },
): Promise<void> {
  const { budgets } = tx.t;
  const set = { ...limits, ...(expiresAt === undefined ? {} : { expiresAt }) };
  await tx.q
    .insert(budgets)
    .values({ accountId, holder, ...set })
    .onConflictDoUpdate({ target: [budgets.accountId, budgets.holder], set })
    .returning({ holder: budgets.holder });
}

/** What is spent of budgets. */
interface Spending {
  readonly accountId: string;
  /** Each once. */
  readonly holders: readonly string[];
  readonly credits: number;
  /** Real time. */
  readonly now: number;
}

/**
 * Adds to what the budgets have spent, if their limits allow it: one statement, so that no two calls fit into the same remainder.
 * @returns the budgets that it was added to, by holder; where one is missing, the caller's transaction must not be committed
 */
export async function spendBudgets(
  tx: Tx,
  { accountId, holders, credits, now }: Spending,
): Promise<ReadonlyMap<string, Pick<BudgetRow, "approveAbove">>> {
  const { day, month } = calendarDay(now);
  const named = Object.fromEntries(holders.map((holder, at) => [`holder${at}`, holder]));
  const rows = await spending(tx, holders.length).execute({ accountId, ...named, credits, day, month });
  return new Map(rows.map(({ holder: whose, ...budget }) => [whose, budget]));
}

const spending = (tx: Tx, many: number) => tx.prepared(`spend_budgets_${many}`, (db) => spend(db, many));

function spend({ q, t: { budgets } }: Pick<Reader, "q" | "t">, many: number) {
  // A clock that goes back counts towards the later day, so that no day is counted twice.
  const isSameDay = sql`${budgets.day} >= excluded.day`;
  const isSameMonth = sql`${budgets.month} >= excluded.month`;
  const today = sql`CASE WHEN ${isSameDay} THEN ${budgets.spentToday} ELSE 0 END + excluded.spent`;
  const thisMonth = sql`CASE WHEN ${isSameMonth} THEN ${budgets.spentThisMonth} ELSE 0 END + excluded.spent`;
  const spent = sql`${budgets.spent} + excluded.spent`;
  const within = (after: SQL, limit: Column) => or(isNull(limit), lte(after, limit));
  return q
    .insert(budgets)
    .values(
      Array.from({ length: many }, (_, at) => ({
        ...{ accountId: sql.placeholder("accountId"), holder: sql.placeholder(`holder${at}`) },
        ...{ day: sql.placeholder("day"), spentToday: sql.placeholder("credits") },
        ...{ month: sql.placeholder("month"), spentThisMonth: sql.placeholder("credits") },
        spent: sql.placeholder("credits"),
      })),
    )
    .onConflictDoUpdate({
      target: [budgets.accountId, budgets.holder],
      set: {
        day: sql`CASE WHEN ${isSameDay} THEN ${budgets.day} ELSE excluded.day END`,
        spentToday: today,
        month: sql`CASE WHEN ${isSameMonth} THEN ${budgets.month} ELSE excluded.month END`,
        spentThisMonth: thisMonth,
        spent,
      },
      setWhere: and(
        within(sql`excluded.spent`, budgets.perCall),
        within(today, budgets.perDay),
        within(thisMonth, budgets.perMonth),
        within(spent, budgets.total),
      )!,
    })
    .returning({ holder: budgets.holder, approveAbove: budgets.approveAbove });
}
