import { and, asc, eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { APPROVE_ABOVE, type CallOutcome, type CompetingCall } from "./competing-calls.ts";

/** A budget that several processes spend. */
export interface BudgetRun {
  readonly accountId: string;
  readonly keyId: string;
  readonly total: number;
  readonly perDay: number;
  /** Ids of the approvals that a person gave. */
  readonly approved: readonly string[];
  readonly processes: number;
  /** How slow the database is in its processes, in ms for a statement. */
  readonly slowMs: number;
}

/** The limits that were set while the processes spent, and what was spent by then. */
export interface LoweredLimits {
  readonly total: number;
  readonly perDay: number;
  readonly spent: number;
  readonly spentToday: number;
}

export type AnsweredCall = CompetingCall & CallOutcome;

/** Compares a budget that is spent, and what the calls were answered, with the ledger. */
export async function checkBudget(
  db: Engine,
  { run, lowered }: { run: BudgetRun; lowered: LoweredLimits },
  answers: readonly AnsweredCall[],
) {
  const problems: string[] = [];
  const expectEqual = (what: string, found: unknown, expected: unknown) => {
    if (found !== expected) problems.push(`${what}: ${found}, not ${expected}`);
  };
  const { budgets, ledger, projects, approvals } = db.t;
  const isSpend = and(eq(ledger.accountId, run.accountId), eq(ledger.kind, "spend"), eq(ledger.credential, run.keyId));
  const spends = await db.q.select().from(ledger).where(isSpend).orderBy(asc(ledger.no));
  const made = await db.q.select().from(projects).where(eq(projects.accountId, run.accountId));
  const asked = await db.q.select().from(approvals).where(eq(approvals.accountId, run.accountId));
  const [budget] = await db.q
    .select()
    .from(budgets)
    .where(and(eq(budgets.accountId, run.accountId), eq(budgets.holder, run.keyId)));

  // What was spent before the limits were lowered stays.
  const most = { total: Math.max(lowered.total, lowered.spent), perDay: Math.max(lowered.perDay, lowered.spentToday) };
  let spent = 0;
  const byDay = new Map<number, number>();
  for (const { at, credits } of spends) {
    const day = Math.floor(at / DAY);
    spent -= credits;
    byDay.set(day, (byDay.get(day) ?? 0) - credits);
    if (spent > most.total) problems.push(`${spent} credits were spent of a total of ${most.total}`);
    if (byDay.get(day)! > most.perDay) problems.push(`${byDay.get(day)} credits were spent in a day of ${most.perDay}`);
  }
  // Each process ended only when not even one credit was left.
  const left = Math.max(0, Math.min(lowered.total - spent, lowered.perDay - [...byDay.values()].at(-1)!));
  expectEqual("left of the limits", left, 0);
  expectEqual("spent by the budget", budget!.spent, spent);
  const isTheirs = made.filter(({ credential }) => credential === run.keyId);
  expectEqual("spent by projects", sum(isTheirs.map(({ creditsSpent }) => creditsSpent)), spent);

  const byId = new Map(made.map((project) => [project.id, project]));
  const booked = new Map(spends.map(({ projectId, credits }) => [projectId, -credits]));
  for (const answer of answers) {
    if ("refused" in answer) continue;
    expectEqual(`acknowledged ${answer.name}: project`, byId.get(answer.project)?.name, answer.name);
    expectEqual(`acknowledged ${answer.name}: credits`, booked.get(answer.project), answer.credits);
  }
  // Calls without a key have names of their own, except the costly ones, of which each has one approval.
  for (const [name, count] of countsOf(made.map((project) => project.name)))
    expectEqual(`projects by the call ${name}`, count, 1);

  const used = asked.filter(({ status }) => status === "used");
  for (const { id, projectId } of used) {
    if (!run.approved.includes(id)) problems.push(`approval ${id} was used, and nobody gave it`);
    if (!byId.has(projectId!)) problems.push(`approval ${id} was used for ${projectId}, which does not exist`);
  }
  const costly = made.filter(({ creditsSpent }) => creditsSpent > APPROVE_ABOVE).map(({ id }) => id);
  expectEqual(
    "projects with approvals",
    used
      .map(({ projectId }) => projectId)
      .sort()
      .join(),
    costly.sort().join(),
  );
  return { problems, spent, approvals: used.length };
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
