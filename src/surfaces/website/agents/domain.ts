import { callsByDay, callsOfKeys, type DayOfCalls, USAGE_DAYS } from "../../../domain/calls/key-usage.ts";
import { approvalsNow } from "../../../domain/credentials/ended-askers.ts";
import { endAfterDay, lastDayOf } from "../../../domain/credentials/key-end.ts";
import { hasEnded, type KeyRow, keyOfAccount, keysOf, keyTitle } from "../../../domain/credentials/keys.ts";
import { scopesIn } from "../../../domain/credentials/scopes.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { type Connection, connectionOfGrant, connectionsOf } from "../../../domain/oauth/connections.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { namesOfPeople, personWords } from "../../../domain/people/words.ts";
import { type ApprovalRow, approvalOf, approvalsOf, statusOf } from "../../../domain/spending/approvals.ts";
import { type BudgetRow, budgetOf } from "../../../domain/spending/budgets.ts";
import { credentialsOf } from "../../../domain/spending/credentials.ts";
import { type DayOfSpending, spendingByDay } from "../../../domain/spending/history.ts";
import { NO_LIMITS } from "../../../domain/spending/limits.ts";
import { type Spending, spendingOf } from "../../../domain/spending/read.ts";
import type { SpendingPurpose } from "../../../domain/spending/spend.ts";
import { taskWaitingFor } from "../../../domain/tasks/waiting.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * What the pages of keys, apps, agents and approvals show. Programs cannot ask for most of it: what acts for an account is not
 * told what else does. It is the one file of this room that reads the domain for these pages.
 */

export type { ApprovalRow, BudgetRow, Connection, DayOfCalls, DayOfSpending, KeyRow, Spending, SpendingPurpose };
export { endAfterDay, hasEnded, keyTitle, lastDayOf, NO_LIMITS, scopesIn, statusOf, USAGE_DAYS };

/** A key of the account, also one that has ended; null: it has none with this id, or it is revoked. */
export async function keyWithId({ db }: WebsiteServices, { session }: SignedInRequest, id: string) {
  return keyOfAccount(db, session.accountId, id);
}

/** The keys that are not revoked, each with its calls in the last 30 days, and whether the account may create one. */
export async function listedKeys({ db }: WebsiteServices, { session: { accountId }, now }: SignedInRequest) {
  const [rows, calls, paid] = await Promise.all([
    keysOf(db, accountId),
    callsOfKeys(db, accountId, now),
    isPaid(db, accountId),
  ]);
  return { keys: rows.map((row) => ({ ...row, calls: calls.get(row.id) ?? 0 })), paid };
}

/** The apps and agents that are connected now. */
export function connectedApps({ db }: WebsiteServices, { session, now }: SignedInRequest): Promise<Connection[]> {
  return connectionsOf(db, session.accountId, now);
}

/** The app or agent that a grant belongs to; null: the account has none. */
export async function appWithGrant({ db }: WebsiteServices, { session, now }: SignedInRequest, grantId: string) {
  return connectionOfGrant(db, session.accountId, { grantId, now });
}

/** What a key, or all connections of an app or agent, may spend and have done. @param holder whose budget it is */
export async function useOf(
  { db }: WebsiteServices,
  { session: { accountId }, now }: SignedInRequest,
  { credential, holder }: { readonly credential: string; readonly holder: string },
) {
  const budget = await budgetOf(db, { accountId, holder });
  const credentials = await credentialsOf(db, accountId, credential);
  const [calls, days] = await Promise.all([
    callsByDay(db, credentials, now),
    spendingByDay(db, { accountId, credentials, days: USAGE_DAYS, now }),
  ]);
  return { budget, calls, days, spending: spendingOf(budget, now) };
}

/** The latest calls that need, or needed, the yes of the account's person. */
export async function listedApprovals({ db }: WebsiteServices, { session, now }: SignedInRequest, most: number) {
  const approvals = await approvalsNow(db, await approvalsOf(db, session.accountId, most), now);
  const people = await namesOfPeople(
    db,
    session,
    approvals.flatMap(({ personId, decidedBy }) => [personId, decidedBy]),
  );
  return { approvals, people };
}

/** A call that needs a yes, with what its caller has spent; null: the account has none with this id. */
export async function approvalWithId({ db }: WebsiteServices, { session, now }: SignedInRequest, id: string) {
  const { accountId } = session;
  const found = await approvalOf(db, accountId, id);
  if (!found) return null;
  const approval = (await approvalsNow(db, [found], now))[0]!;
  const [balance, budget, task] = await Promise.all([
    balanceOf(db, accountId),
    budgetOf(db, { accountId, holder: approval.holder }),
    taskWaitingFor(db, accountId, approval.id),
  ]);
  const askedFor = await personWords(db, session, approval.personId);
  const decidedBy = await personWords(db, session, approval.decidedBy);
  return { approval, askedFor, decidedBy, balance, spending: spendingOf(budget, now), isMadeByTask: task !== null };
}

/** What a call would do. */
export function purposeOf({ about }: ApprovalRow): SpendingPurpose {
  return JSON.parse(about);
}
