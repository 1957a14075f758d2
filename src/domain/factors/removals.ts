import { and, asc, eq, lte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";

/** How long a removal of lost factors can be cancelled before it is carried out, in ms of real time. */
export const REMOVAL_DELAY = 7 * DAY;

/** How often the owner is reminded meanwhile. */
export const REMINDER_PERIOD = DAY;

export type RemovalRow = Reader["t"]["factorRemovals"]["$inferSelect"];

/** @returns the secret of the link that cancels it, and when it is due; null when a removal is under way already */
export async function requestRemoval(
  tx: Tx,
  personId: string,
  now: number,
): Promise<{ secret: string; dueAt: number } | null> {
  const { secret, hash } = newSecret("link");
  const times = { requestedAt: now, dueAt: now + REMOVAL_DELAY, remindedAt: now };
  const requested = await tx.q
    .insert(tx.t.factorRemovals)
    .values({ personId, cancelHash: hash, ...times })
    .onConflictDoNothing()
    .returning();
  return requested.length === 1 ? { secret, dueAt: times.dueAt } : null;
}

export async function removalOf(db: Reader, personId: string): Promise<RemovalRow | null> {
  const { factorRemovals } = db.t;
  const [row] = await db.q.select().from(factorRemovals).where(eq(factorRemovals.personId, personId));
  return row ?? null;
}

/** The removal that a mailed link cancels; null when there is none any more. */
export async function removalByLink(db: Reader, secret: string): Promise<RemovalRow | null> {
  if (!isSecret("link", secret)) return null;
  const { factorRemovals } = db.t;
  const [row] = await db.q
    .select()
    .from(factorRemovals)
    .where(eq(factorRemovals.cancelHash, hashOf(secret)));
  return row ?? null;
}

/** @returns false when no removal was under way */
export async function cancelRemoval(tx: Tx, personId: string): Promise<boolean> {
  const { factorRemovals } = tx.t;
  return (await tx.q.delete(factorRemovals).where(eq(factorRemovals.personId, personId)).returning()).length === 1;
}

/** Ends a removal that is due, to be carried out in the same transaction. @returns false when it was cancelled meanwhile */
export async function takeDueRemoval(tx: Tx, personId: string, now: number): Promise<boolean> {
  const { factorRemovals } = tx.t;
  const isDue = and(eq(factorRemovals.personId, personId), lte(factorRemovals.dueAt, now));
  return (await tx.q.delete(factorRemovals).where(isDue).returning()).length === 1;
}

/** Accounts whose removal is due, the longest due first. */
export async function dueRemovals(db: Reader, now: number, most: number): Promise<RemovalRow[]> {
  const { factorRemovals } = db.t;
  return db.q
    .select()
    .from(factorRemovals)
    .where(lte(factorRemovals.dueAt, now))
    .orderBy(asc(factorRemovals.dueAt))
    .limit(most);
}

/** Takes the removals of which a reminder is due. @returns them, at most `most` */
export async function takeReminders(tx: Tx, now: number, most: number): Promise<RemovalRow[]> {
  const { factorRemovals } = tx.t;
  const rows = await tx.q
    .select()
    .from(factorRemovals)
    .where(lte(factorRemovals.remindedAt, now - REMINDER_PERIOD))
    .limit(most);
  for (const { personId } of rows)
    await tx.q.update(factorRemovals).set({ remindedAt: now }).where(eq(factorRemovals.personId, personId));
  return rows;
}
