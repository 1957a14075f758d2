import type { Reader } from "../../../db/engine.ts";
import { type BudgetKey, type BudgetRow, budgetOf, budgetsOf } from "./budgets.ts";
import { calendarDay } from "./calendar.ts";
import { type BudgetKind, kindOfHolder } from "./holder.ts";
import { type ACCOUNT_WIRE_NAMES, type MEMBER_WIRE_NAMES, NO_LIMITS, type SpendingLimits } from "./limits.ts";

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

export async function spendingOfHolder(db: Reader, key: BudgetKey, now: number): Promise<Spending> {
  return spendingOf(await budgetOf(db, key), now);
}

/** What a caller may spend. */
export interface CallerSpending extends Spending {
  /** What a call may cost by the limits of the person for whom it is made; null: nothing limits the person. */
  readonly ofPerson: number | null;
}

/**
 * What somebody has spent and may still spend, by the first of their budgets (holder.ts). A call may not cost more than any of the
 * budgets leaves.
 */
export async function spendingOfHolders(
  db: Reader,
  accountId: string,
  holders: readonly string[],
  now: number,
): Promise<CallerSpending> {
  const budgets = await budgetsOf(db, accountId, holders);
  const all = holders.map((holder) => ({ holder, ...spendingOf(budgets.get(holder) ?? null, now) }));
  const { holder: _, ...own } = all[0] ?? { holder: "", ...spendingOf(null, now) };
  const call = least(all.map(({ remaining }) => remaining.call));
  const ofPerson = all.find(({ holder }) => kindOfHolder(holder) === "person")?.remaining.call ?? null;
  return { ...own, remaining: { ...own.remaining, call }, ofPerson };
}

function least(limits: readonly (number | null)[]): number | null {
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
}

type Kept = "perCall" | "perDay" | "perMonth" | "total";

/** The limits that a call can exceed. */
export type ExceedableLimit = Kept | keyof typeof ACCOUNT_WIRE_NAMES | keyof typeof MEMBER_WIRE_NAMES;

/** What the limits of each kind of budget are called. The account has two. */
const NAMES: Readonly<Record<BudgetKind, Readonly<Record<Kept, ExceedableLimit>>>> = {
  credential: { perCall: "perCall", perDay: "perDay", perMonth: "perMonth", total: "total" },
  account: { perCall: "perCall", perDay: "accountDay", perMonth: "accountMonth", total: "total" },
  person: { perCall: "memberCall", perDay: "memberDay", perMonth: "memberMonth", total: "memberTotal" },
};

/** A limit that a call does not fit into: what is left of it, and when it starts again; null: never by itself. */
export interface ExceededLimit {
  readonly limit: ExceedableLimit;
  readonly remaining: number;
  readonly resetsAt: number | null;
}

/** The exceeded limit that holds a call back longest; null: it exceeds none. @param kind whose budget it is */
export function exceededLimit(spending: Spending, credits: number, kind: BudgetKind): ExceededLimit | null {
  const { limits, remaining, resetsAt } = spending;
  const candidates: readonly [Kept, number | null, number | null][] = [
    ["total", remaining.total, null],
    ["perCall", limits.perCall, null],
    ["perMonth", remaining.month, resetsAt.month],
    ["perDay", remaining.day, resetsAt.day],
  ];
  for (const [limit, left, resets] of candidates)
    if (left !== null && credits > left) return { limit: NAMES[kind][limit], remaining: left, resetsAt: resets };
  return null;
}
