import { and, asc, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** How long a deletion can be cancelled before it is carried out, in ms of real time. */
export const DELETION_DELAY = 7 * DAY;

export type DeletionRow = Reader["t"]["accountDeletions"]["$inferSelect"];

/** @returns when it is due; null when a deletion was requested before */
export async function createDeletion(tx: Tx, accountId: string, now: number): Promise<number | null> {
  const dueAt = now + DELETION_DELAY;
  const created = await tx.q
    .insert(tx.t.accountDeletions)
    .values({ accountId, requestedAt: now, dueAt })
    .onConflictDoNothing()
    .returning();
  return created.length === 1 ? dueAt : null;
}

export async function deletionOf(db: Reader, accountId: string): Promise<DeletionRow | null> {
  const { accountDeletions } = db.t;
  const [row] = await db.q.select().from(accountDeletions).where(eq(accountDeletions.accountId, accountId));
  return row ?? null;
}

/** @returns false when none was requested, or the account is deleted already */
export async function cancelDeletion(tx: Tx, accountId: string): Promise<boolean> {
  const { accounts } = tx.t;
  // Writes the row of the account, as its deletion does, so that one of two simultaneous transactions sees the other.
  const open = await tx.q
    .update(accounts)
    .set({ id: accountId })
    .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
    .returning({ id: accounts.id });
  return open.length === 1 && (await endDeletion(tx, accountId));
}

/** Deletes the request, when nothing is left to do for it. @returns false when there is none */
export async function endDeletion(tx: Tx, accountId: string): Promise<boolean> {
  const { accountDeletions } = tx.t;
  const ended = await tx.q.delete(accountDeletions).where(eq(accountDeletions.accountId, accountId)).returning();
  return ended.length === 1;
}

/** All requests, the earliest due first. */
export async function requestedDeletions(db: Reader): Promise<DeletionRow[]> {
  const { accountDeletions } = db.t;
  return db.q.select().from(accountDeletions).orderBy(asc(accountDeletions.dueAt), asc(accountDeletions.accountId));
}
