import { and, eq, gte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";

export type Identity = Reader["t"]["identities"]["$inferSelect"];

/** Who somebody is at an issuer. */
export type IdentityName = Pick<Identity, "issuer" | "subject">;

/** @returns null when nobody signs in by it */
export async function identityOf(db: Reader, name: IdentityName): Promise<Identity | null> {
  const [row] = await db.q.select().from(db.t.identities).where(isNamed(db, name));
  return row ?? null;
}

/** By whom a person signs in, at each issuer. */
export async function identitiesOf(db: Reader, personId: string): Promise<Identity[]> {
  const { identities } = db.t;
  return db.q.select().from(identities).where(eq(identities.personId, personId)).orderBy(identities.createdAt);
}

/** @returns false when the identity signs in somebody else already, or the person has another one at this issuer */
export async function addIdentity(
  tx: Tx,
  { issuer, subject, personId, now }: IdentityName & { personId: string; now: number },
): Promise<boolean> {
  const row = { issuer, subject, personId, createdAt: now, lastUsedAt: now };
  return (await tx.q.insert(tx.t.identities).values(row).onConflictDoNothing().returning()).length === 1;
}

export async function recordIdentityUsed(tx: Tx, name: IdentityName, now: number): Promise<void> {
  await tx.q.update(tx.t.identities).set({ lastUsedAt: now }).where(isNamed(tx, name));
}

/** @returns whether the person had one */
export async function deleteIdentities(tx: Tx, personId: string): Promise<boolean> {
  const { identities } = tx.t;
  return (await tx.q.delete(identities).where(eq(identities.personId, personId)).returning()).length > 0;
}

/** Takes away what was connected at a time or later. */
export async function deleteIdentitiesSince(tx: Tx, personId: string, since: number): Promise<void> {
  const { identities } = tx.t;
  await tx.q.delete(identities).where(and(eq(identities.personId, personId), gte(identities.createdAt, since)));
}

function isNamed({ t: { identities } }: Pick<Reader, "t">, { issuer, subject }: IdentityName) {
  return and(eq(identities.issuer, issuer), eq(identities.subject, subject));
}
