import { and, eq, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { OPERATOR, PERSON } from "../../platform/principal.ts";
import { ACCOUNT } from "../spending/holder.ts";
import { expect } from "./expect.ts";

/**
 * Every budget has spent what the ledger says of its key, app, agent or person, and nothing is spent without a budget; the budget of an
 * account has spent what all keys, apps and agents have.
 */
export async function auditBudgets(db: Reader, problems: string[]): Promise<void> {
  const { budgets } = db.t;
  const spent = await spentByHolder(db);
  const rows = await db.q
    .select({ accountId: budgets.accountId, holder: budgets.holder, spent: budgets.spent })
    .from(budgets);
  for (const budget of rows) {
    const key = keyOf(budget);
    expect(
      problems,
      `account ${budget.accountId}, budget of ${budget.holder}: spent`,
      budget.spent,
      spent.get(key) ?? 0,
    );
    spent.delete(key);
  }
  for (const [key, credits] of spent) problems.push(`${credits} credits were spent by ${key}, which has no budget`);
}

/** What the ledgers of all accounts that are not deleted say; entries from before credentials were kept are left out. */
async function spentByHolder(db: Reader): Promise<Map<string, number>> {
  const { accounts, ledger, grants } = db.t;
  const holder = sql<string>`coalesce(${grants.holder}, ${ledger.credential})`;
  const rows = await db.q
    .select({ accountId: ledger.accountId, holder, credits: sql<number>`-sum(${ledger.credits})`.mapWith(Number) })
    .from(ledger)
    .innerJoin(accounts, and(eq(accounts.id, ledger.accountId), isNull(accounts.deletedAt)))
    .leftJoin(grants, eq(grants.id, ledger.credential))
    // The condition also leaves out entries without a known credential.
    .where(and(eq(ledger.kind, "spend"), notInArray(ledger.credential, [PERSON, OPERATOR])))
    .groupBy(ledger.accountId, holder);
  const spent = new Map(rows.map((row) => [keyOf(row), row.credits]));
  for (const { accountId, credits } of rows) {
    const key = keyOf({ accountId, holder: ACCOUNT });
    spent.set(key, (spent.get(key) ?? 0) + credits);
  }
  for (const { accountId, holder, credits } of await spentByPerson(db))
    spent.set(keyOf({ accountId, holder: holder! }), credits);
  return spent;
}

function spentByPerson({ q, t: { accounts, ledger } }: Reader) {
  return q
    .select({
      accountId: ledger.accountId,
      holder: ledger.personId,
      credits: sql<number>`-sum(${ledger.credits})`.mapWith(Number),
    })
    .from(ledger)
    .innerJoin(accounts, and(eq(accounts.id, ledger.accountId), isNull(accounts.deletedAt)))
    .where(and(eq(ledger.kind, "spend"), isNotNull(ledger.personId)))
    .groupBy(ledger.accountId, ledger.personId);
}

function keyOf({ accountId, holder }: { readonly accountId: string; readonly holder: string }): string {
  return `${holder} of account ${accountId}`;
}
