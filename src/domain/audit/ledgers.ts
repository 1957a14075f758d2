import { asc } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { expect } from "./expect.ts";

type AccountRow = Schema["accounts"]["$inferSelect"];

/** The columns of an entry that the audit reads. */
export type Entry = Pick<
  Schema["ledger"]["$inferSelect"],
  "accountId" | "no" | "kind" | "credits" | "balanceAfter" | "orderId"
>;

/** All entries, by account and number. */
export async function readEntries(db: Reader): Promise<Entry[]> {
  const { ledger } = db.t;
  const { accountId, no, kind, credits, balanceAfter, orderId } = ledger;
  const columns = { accountId, no, kind, credits, balanceAfter, orderId };
  return db.q.select(columns).from(ledger).orderBy(asc(accountId), asc(no));
}

/**
 * Every ledger is a chain of entries 1, 2, 3…, each with the balance after it; the last has the account's balance. A deleted
 * account has nothing that could be spent.
 */
export function auditLedgers(accounts: readonly AccountRow[], entries: readonly Entry[], problems: string[]): void {
  const ends = new Map<string, { readonly no: number; readonly balance: number }>();
  for (const { accountId, no, credits, balanceAfter } of entries) {
    const { no: last, balance } = ends.get(accountId) ?? START;
    const name = `account ${accountId}, entry ${no}`;
    expect(problems, `${name}: number`, no, last + 1);
    expect(problems, `${name}: balance after`, balanceAfter, balance + credits);
    if (credits === 0) problems.push(`${name} books nothing`);
    ends.set(accountId, { no: last + 1, balance: balance + credits });
  }
  for (const { id, credits, entries: count, deletedAt } of accounts) {
    const { no, balance } = ends.get(id) ?? START;
    ends.delete(id);
    expect(problems, `account ${id}: balance`, credits, balance);
    expect(problems, `account ${id}: number of ledger entries`, count, no);
    if (deletedAt !== null && credits > 0) problems.push(`account ${id} is deleted and has ${credits} credits`);
  }
  for (const id of ends.keys()) problems.push(`account ${id} has ledger entries and does not exist`);
}

const START = { no: 0, balance: 0 };
