import type { Reader } from "../../../../db/engine.ts";
import { callsByDay, USAGE_DAYS } from "../../../domain/calls/key-usage.ts";
import { projectsOf } from "../../../domain/projects/list-projects.ts";
import type { BudgetRow } from "../../../domain/spending/budgets.ts";
import { credentialsOf } from "../../../domain/spending/credentials.ts";
import { spendingByDay } from "../../../domain/spending/history.ts";
import { spendingOf } from "../../../domain/spending/read.ts";
import type { CredentialUse } from "./spending-view.tsx";

/** Projects that the page of a key, app or agent lists. */
const LISTED = 10;

/** Reads what a key, or all connections of an app or agent, have done. */
export async function credentialUse(
  db: Reader,
  {
    accountId,
    credential,
    budget,
    now,
  }: { accountId: string; credential: string; budget: BudgetRow | null; now: number },
): Promise<CredentialUse> {
  const credentials = await credentialsOf(db, accountId, credential);
  const [calls, days, { rows: projects }] = await Promise.all([
    callsByDay(db, credentials, now),
    spendingByDay(db, { accountId, credentials, days: USAGE_DAYS, now }),
    projectsOf(db, accountId, { kind: "all", status: "any", credentials, limit: LISTED, offset: 0 }),
  ]);
  return { credential, calls, days, spending: spendingOf(budget, now), projects };
}
