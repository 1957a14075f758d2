import { eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { disabledRefusal } from "../credentials/may-act.ts";

/** Why the operator has disabled an account, which reads and spends nothing then. Null: it is not disabled. */
export async function disabledReason(db: Reader, accountId: string): Promise<string | null> {
  const { accounts } = db.t;
  const [row] = await db.q.select({ reason: accounts.disabledReason }).from(accounts).where(eq(accounts.id, accountId));
  return row?.reason ?? null;
}

/** Whether nothing is sent for an account now: it owes credits, or the operator has disabled it. */
export async function mayNotSend(db: Reader, accountId: string): Promise<boolean> {
  const { id, credits, disabledAt } = db.t.accounts;
  const [row] = await db.q.select({ credits, disabledAt }).from(db.t.accounts).where(eq(id, accountId));
  return row === undefined || row.credits < 0 || row.disabledAt !== null;
}

/** @param needed credits that the call costs, where it is known @throws Refusal spending_limit */
export async function refuseDisabled(db: Reader, accountId: string, needed?: number): Promise<void> {
  const reason = await disabledReason(db, accountId);
  if (reason !== null) throw disabledRefusal(reason, needed);
}
