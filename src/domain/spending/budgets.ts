import { and, type Column, eq, getTableColumns, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
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

/** A credential, and the budget that it spends. */
interface Spending extends BudgetKey {
  /** Id of a key or grant. */
  readonly credential: string;
  readonly credits: number;
  /** Real time. */
  readonly now: number;
}

/**
 * Adds to what a budget has spent, if the credential is still valid and the limits allow it: one statement, so that no two calls fit
 * into the same remainder.
 * @returns null when it added nothing
 */
export async function spendBudget(
  tx: Tx,
  { accountId, holder, credential, credits, now }: Spending,
): Promise<Pick<BudgetRow, "approveAbove"> | null> {
  const { day, month } = calendarDay(now);
  const spend = credential === holder ? spendOfKey(tx) : spendOfGrant(tx);
  const [row] = await spend.execute({ accountId, holder, credential, credits, day, month, now });
  return row ?? null;
}

const spendOfKey = (tx: Tx) =>
  tx.prepared("spend_budget_of_key", (db) => {
    const { apiKeys } = db.t;
    const isAlive = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql.placeholder("now")));
    const isIts = and(eq(apiKeys.id, sql.placeholder("credential")), isNull(apiKeys.revokedAt), isAlive);
    return spendFrom(db, sql`FROM ${apiKeys} WHERE ${isIts}`);
  });

const spendOfGrant = (tx: Tx) =>
  tx.prepared("spend_budget_of_grant", (db) => {
    const { grants, budgets } = db.t;
    const known = sql`${budgets} WHERE ${budgets.accountId} = ${grants.accountId} AND ${budgets.holder} = ${grants.holder}`;
    const hasEnded = sql`EXISTS (SELECT 1 FROM ${known} AND ${budgets.expiresAt} <= ${sql.placeholder("now")})`;
    const isIts = and(eq(grants.id, sql.placeholder("credential")), isNull(grants.revokedAt));
    return spendFrom(db, sql`FROM ${grants} WHERE ${isIts} AND NOT ${hasEnded}`);
  });

/** @param source the valid credential: a row, or none */
function spendFrom({ q, t: { budgets } }: Pick<Reader, "q" | "t">, source: SQL) {
  const value = (column: keyof BudgetRow) => {
    const name = INSERTED[column];
    return name === undefined ? sql`NULL` : sql`${sql.placeholder(name)}`;
  };
  const columns = Object.keys(getTableColumns(budgets)) as (keyof BudgetRow)[];
  // A clock that goes back counts towards the later day, so that no day is counted twice.
  const isSameDay = sql`${budgets.day} >= excluded.day`;
  const isSameMonth = sql`${budgets.month} >= excluded.month`;
  const today = sql`CASE WHEN ${isSameDay} THEN ${budgets.spentToday} ELSE 0 END + excluded.spent`;
  const thisMonth = sql`CASE WHEN ${isSameMonth} THEN ${budgets.spentThisMonth} ELSE 0 END + excluded.spent`;
  const spent = sql`${budgets.spent} + excluded.spent`;
  const within = (after: SQL, limit: Column) => or(isNull(limit), lte(after, limit));
  return q
    .insert(budgets)
    .select(sql`SELECT ${sql.join(columns.map(value), sql`, `)} ${source}`)
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
    .returning({ approveAbove: budgets.approveAbove });
}

/** The values of a budget that nothing limits yet, by the names of their placeholders; others are null. */
const INSERTED: { readonly [column in keyof BudgetRow]?: string } = {
  accountId: "accountId",
  holder: "holder",
  day: "day",
  spentToday: "credits",
  month: "month",
  spentThisMonth: "credits",
  spent: "credits",
};
