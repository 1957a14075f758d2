import type { Reader } from "../../../db/engine.ts";
import { type BudgetKey, type BudgetRow, budgetOf } from "./budgets.ts";
import { calendarDay } from "./calendar.ts";
import { ACCOUNT } from "./holder.ts";
import { NO_LIMITS, type SpendingLimits } from "./limits.ts";

/** What a holder has spent in credits, and what is left of its limits; null where there is none. All by real time. */
export interface Spending {
  readonly limits: SpendingLimits;
  readonly spent: { readonly today: number; readonly thisMonth: number; readonly total: number };
  readonly remaining: {
    readonly call: number | null;
    readonly day: number | null;
    readonly month: number | null;
    readonly total: number | null;
  };
  readonly resetsAt: { readonly day: number; readonly month: number };
}

/** @param budget null: nothing was ever limited or spent */
export function spendingOf(budget: BudgetRow | null, now: number): Spending {
  const { day, month, nextDay, nextMonth } = calendarDay(now);
  const { perCall, perDay, perMonth, total, approveAbove } = budget ?? NO_LIMITS;
  const spent = {
    today: budget && budget.day >= day ? budget.spentToday : 0,
    thisMonth: budget && budget.month >= month ? budget.spentThisMonth : 0,
    total: budget?.spent ?? 0,
  };
  const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used));
  const remaining = {
    day: left(perDay, spent.today),
    month: left(perMonth, spent.thisMonth),
    total: left(total, spent.total),
  };
  const call = least([perCall, remaining.day, remaining.month, remaining.total]);
  return {
    limits: { perCall, perDay, perMonth, total, approveAbove },
    spent,
    remaining: { call, ...remaining },
    resetsAt: { day: nextDay, month: nextMonth },
  };
}

/** What a holder has spent and may still spend. A call may not cost more than the budget of the account leaves, either. */
export async function spendingOfHolder(db: Reader, key: BudgetKey, now: number): Promise<Spending> {
  const own = spendingOf(await budgetOf(db, key), now);
  const account = spendingOf(await budgetOf(db, { ...key, holder: ACCOUNT }), now);
  const call = least([own.remaining.call, account.remaining.call]);
  return { ...own, remaining: { ...own.remaining, call } };
}

function least(limits: readonly (number | null)[]): number | null {
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
}

/** The limits that a call can exceed; the last two are of the account. */
export type ExceedableLimit = "perCall" | "perDay" | "perMonth" | "total" | "accountDay" | "accountMonth";

/** A limit that a call does not fit into: what is left of it, and when it starts again; null: never by itself. */
export interface ExceededLimit {
  readonly limit: ExceedableLimit;
  readonly remaining: number;
  readonly resetsAt: number | null;
}

/**
 * The exceeded limit that holds a call back longest; null: it exceeds none.
 * @param isOfAccount whether the budget is the account's
 */
export function exceededLimit(spending: Spending, credits: number, isOfAccount = false): ExceededLimit | null {
  const { limits, remaining, resetsAt } = spending;
  const candidates: readonly [ExceedableLimit, number | null, number | null][] = [
    ["total", remaining.total, null],
    ["perCall", limits.perCall, null],
    [isOfAccount ? "accountMonth" : "perMonth", remaining.month, resetsAt.month],
    [isOfAccount ? "accountDay" : "perDay", remaining.day, resetsAt.day],
  ];
  for (const [limit, left, resets] of candidates)
    if (left !== null && credits > left) return { limit, remaining: left, resetsAt: resets };
  return null;
}
