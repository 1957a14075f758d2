import { eq } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { formatCount } from "../../platform/format.ts";
import { accountById } from "../accounts/accounts.ts";
import { undoableUntil } from "../accounts/address-undos.ts";
import { post } from "../ledger/ledger.ts";
import { accountDeleted } from "../mail/templates/account-deleted.ts";
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
    const email = await leaveTombstone(tx, accountId, now);
    if (email !== null) await mailer.queue(tx, accountDeleted(email, { siteUrl }));
  };
  await db.tx(leave, { serializeBy: accountId });
  await deleteRest(db, accountId);
}

/**
 * Makes the account a tombstone: its remaining credits are booked to zero, and everything that could sign in or names its owner
 * goes, except what is too much for one transaction.
 * @returns the address that it had; null when it was kept meanwhile, or is a tombstone already
 */
async function leaveTombstone(tx: Tx, accountId: string, now: number): Promise<string | null> {
  const deletion = await deletionOf(tx, accountId);
  const { deletedAt, email, credits } = await accountById(tx, accountId);
  if (!deletion || deletion.dueAt > now || deletedAt !== null) return null;
  if ((await undoableUntil(tx, accountId, now)) !== null) return null;
  if (credits > 0) {
    const description = `${formatCount(credits, "credit")} given up with the account`;
    await post(tx, { accountId, kind: "adjustment", credits: -credits, source: "account_deleted", description, now });
  }
  await deleteAtOnce(tx, { id: accountId, email });
  const { accounts } = tx.t;
  const nobody = { email: tombstoneEmail(accountId), name: "", passwordHash: null, verifiedAt: null };
  const set = { ...nobody, isFactorRequired: false, deletedAt: now };
  await tx.q.update(accounts).set(set).where(eq(accounts.id, accountId));
  return email;
}

/**
 * Stands for the address of a deleted account. It is not a valid address, so that nobody can sign in, sign up or be mailed with
 * it.
 */
function tombstoneEmail(accountId: string): string {
  return `deleted ${accountId}`;
}

async function deleteRest(db: Engine, accountId: string): Promise<void> {
  const inTx = (work: (tx: Tx) => Promise<boolean>) => db.tx(work, { serializeBy: accountId });
  const isTombstone = async (tx: Tx) => (await accountById(tx, accountId)).deletedAt !== null;
  while (await inTx(async (tx) => (await isTombstone(tx)) && (await deleteInBatches(tx, accountId))));
  await inTx(async (tx) => (await isTombstone(tx)) && (await endDeletion(tx, accountId)));
}
