import { eq } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { formatCount } from "../../platform/format.ts";
import { accountById } from "../accounts/accounts.ts";
import { post } from "../ledger/ledger.ts";
import { accountDeleted } from "../mail/templates/account-deleted.ts";
import { ownersUndoableUntil } from "../people/address-undos.ts";
import { deletePerson } from "../people/delete-person.ts";
import { accountsOfPerson, membersOf } from "../people/members.ts";
import { ownersOf } from "../people/owners.ts";
import type { Person } from "../people/people.ts";
import { cancelUnsent } from "./cancel-unsent.ts";
import type { DeletionServices } from "./request-deletion.ts";
import { deletionOf, endDeletion, requestedDeletions } from "./requests.ts";
import { deleteAtOnce, deleteInBatches } from "./rows.ts";

/**
 * Carries out the deletions whose time has come; runs every hour. Until then it cancels unsent links again, because a crash may
 * have left some. Each transaction leaves books that add up, and a later round goes on where one ended.
 * @throws the error of the first deletion that failed
 */
export async function deleteAccounts(services: DeletionServices, times: Times): Promise<void> {
  const failures: unknown[] = [];
  // If one fails, the others are done all the same.
  for (const { accountId, dueAt } of await requestedDeletions(services.db))
    await carryOut(services, accountId, dueAt <= times.now, times).catch((thrown) => failures.push(thrown));
  if (failures.length > 0) throw failures[0];
}

async function carryOut(services: DeletionServices, accountId: string, isDue: boolean, times: Times): Promise<void> {
  await cancelUnsent(services.db, accountId, times);
  if (isDue) await deleteAccount(services, accountId, times.now);
}

async function deleteAccount({ db, mailer, siteUrl }: DeletionServices, accountId: string, now: number): Promise<void> {
  const leave = async (tx: Tx) => {
    const owners = await leaveTombstone(tx, accountId, now);
    for (const { email } of owners) await mailer.queue(tx, accountDeleted(email, { siteUrl }));
  };
  await db.tx(leave, { serializeBy: accountId });
  await deleteRest(db, accountId);
}

/**
 * Makes the account a tombstone: its remaining credits are booked to zero, and everything that could sign in or names its owner
 * goes, except what is too much for one transaction.
 * @returns the owners that it had; none when it was kept meanwhile, or is a tombstone already
 */
async function leaveTombstone(tx: Tx, accountId: string, now: number): Promise<readonly Person[]> {
  const deletion = await deletionOf(tx, accountId);
  const { deletedAt, credits } = await accountById(tx, accountId);
  if (!deletion || deletion.dueAt > now || deletedAt !== null) return [];
  if ((await ownersUndoableUntil(tx, accountId, now)) !== null) return [];
  if (credits > 0) {
    const description = `${formatCount(credits, "credit")} given up with the account`;
    await post(tx, { accountId, kind: "adjustment", credits: -credits, source: "account_deleted", description, now });
  }
  const owners = await ownersOf(tx, accountId);
  const people = await membersOf(tx, accountId);
  await deleteAtOnce(tx, accountId);
  for (const { personId, email } of people)
    if ((await accountsOfPerson(tx, personId)).length === 0) await deletePerson(tx, { id: personId, email });
  const { accounts } = tx.t;
  await tx.q.update(accounts).set({ name: "", deletedAt: now }).where(eq(accounts.id, accountId));
  return owners;
}

async function deleteRest(db: Engine, accountId: string): Promise<void> {
  const inTx = (work: (tx: Tx) => Promise<boolean>) => db.tx(work, { serializeBy: accountId });
  const isTombstone = async (tx: Tx) => (await accountById(tx, accountId)).deletedAt !== null;
  while (await inTx(async (tx) => (await isTombstone(tx)) && (await deleteInBatches(tx, accountId))));
  await inTx(async (tx) => (await isTombstone(tx)) && (await endDeletion(tx, accountId)));
}
