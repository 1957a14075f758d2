import { and, desc, eq, gt, gte, inArray, lte, ne, type SQL } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";

/** How long an earlier address can undo a change, in ms of real time. */
export const UNDO_LIFETIME = 7 * DAY;

/** Most rows that one transaction deletes, because it blocks other writers meanwhile. */
const BATCH = 500;

export type AddressUndo = Reader["t"]["addressUndos"]["$inferSelect"];

/** Lets an earlier address of a person undo the change. @returns the secret of its link, to be mailed and stored nowhere */
export async function createAddressUndo(
  tx: Tx,
  undo: { personId: string; email: string; requestedAt: number; now: number },
): Promise<{ secret: string; expiresAt: number }> {
  const { now: changedAt, ...rest } = undo;
  const { secret, hash } = newSecret("link");
  const expiresAt = changedAt + UNDO_LIFETIME;
  await tx.q.insert(tx.t.addressUndos).values({ ...rest, hash, changedAt, expiresAt });
  return { secret, expiresAt };
}

/** The change that a mailed link undoes; null when it was undone, or its time is over. */
export async function addressUndoOf(db: Reader, secret: string, now: number): Promise<AddressUndo | null> {
  if (!isSecret("link", secret)) return null;
  const { addressUndos: undos } = db.t;
  const [row] = await db.q
    .select()
    .from(undos)
    .where(and(eq(undos.hash, hashOf(secret)), gt(undos.expiresAt, now)));
  return row ?? null;
}

/**
 * Takes a change back, and every later change with it. Earlier changes can still be undone.
 * @returns false when it was taken back before
 */
export async function takeAddressUndo(tx: Tx, { id, personId }: AddressUndo): Promise<boolean> {
  const { addressUndos: undos } = tx.t;
  const isFromHere = and(eq(undos.personId, personId), gte(undos.id, id));
  const taken = await tx.q.delete(undos).where(isFromHere).returning({ id: undos.id });
  return taken.some((row) => row.id === id);
}

/**
 * Until when a change of a person's address can be undone; null when none can. Until then no factor of the person is removed:
 * whoever undoes the change finds them as they were.
 */
export async function undoableUntil(db: Reader, personId: string, now: number): Promise<number | null> {
  return latestEnd(db, eq(db.t.addressUndos.personId, personId), now);
}

/** Until when a change of the address of an owner can be undone; null when none can. Until then the account is not deleted. */
export async function ownersUndoableUntil(db: Reader, accountId: string, now: number): Promise<number | null> {
  const { members, addressUndos: undos } = db.t;
  const owners = db.q
    .select({ id: members.personId })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")));
  return latestEnd(db, inArray(undos.personId, owners), now);
}

async function latestEnd(db: Reader, isMeant: SQL | undefined, now: number): Promise<number | null> {
  const { addressUndos: undos } = db.t;
  const [row] = await db.q
    .select({ until: undos.expiresAt })
    .from(undos)
    .where(and(isMeant, gt(undos.expiresAt, now)))
    .orderBy(desc(undos.expiresAt))
    .limit(1);
  return row?.until ?? null;
}

/**
 * Until when an address is kept for a person who had it before; null when it is not.
 * @param except the person who may have it
 */
export async function addressKeptUntil(
  db: Reader,
  email: string,
  { now, except }: { now: number; except?: string },
): Promise<number | null> {
  const { email: address, personId } = db.t.addressUndos;
  const ofAnother = except === undefined ? undefined : ne(personId, except);
  return latestEnd(db, and(eq(address, email), ofAnother), now);
}

/** Deletes the undos whose time is over; runs every hour. */
export async function purgeAddressUndos(db: Engine, now: number): Promise<void> {
  const { addressUndos: undos } = db.t;
  const { id } = undos;
  const deleteBatch = async ({ q }: Tx) => {
    const old = q.select({ id }).from(undos).where(lte(undos.expiresAt, now)).limit(BATCH);
    return (await q.delete(undos).where(inArray(id, old)).returning({ id })).length;
  };
  while ((await db.tx(deleteBatch)) === BATCH);
}
