import { and, desc, eq, gt, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";

export type PasskeyRow = Reader["t"]["passkeys"]["$inferSelect"];

/** A person's passkeys, newest first. */
export async function passkeysOf(db: Reader, personId: string): Promise<PasskeyRow[]> {
  const { passkeys } = db.t;
  return db.q
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id));
}

export async function passkeyByCredential(db: Reader, credentialId: string): Promise<PasskeyRow | null> {
  const { passkeys } = db.t;
  const [row] = await db.q.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row ?? null;
}

/** @returns false when the person has no such passkey */
export async function renamePasskey(
  tx: Tx,
  { personId, id, name }: { personId: string; id: string; name: string },
): Promise<boolean> {
  const { passkeys } = tx.t;
  const renamed = await tx.q
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.personId, personId), eq(passkeys.id, id)))
    .returning();
  return renamed.length === 1;
}

/** @returns the passkey; null when the person has no such one */
export async function deletePasskey(
  tx: Tx,
  { personId, id }: { personId: string; id: string },
): Promise<PasskeyRow | null> {
  const { passkeys } = tx.t;
  const [row] = await tx.q
    .delete(passkeys)
    .where(and(eq(passkeys.personId, personId), eq(passkeys.id, id)))
    .returning();
  return row ?? null;
}

/** An assertion whose signature is right. */
export interface Assertion {
  readonly passkey: PasskeyRow;
  readonly signCount: number;
  readonly isBackedUp: boolean;
}

/**
 * Records the use of a passkey. Its counter has to grow (WebAuthn level 3 section 7.2, step 22). A counter that stays at 0
 * belongs to an authenticator that has none.
 * @returns `cloned` when the counter has not grown: another device has the same key; `gone` when the passkey was removed
 */
export async function recordAssertion(
  tx: Tx,
  { passkey, signCount, isBackedUp }: Assertion,
  now: number,
): Promise<"recorded" | "cloned" | "gone"> {
  const { passkeys } = tx.t;
  const stored = eq(passkeys.id, passkey.id);
  const hasGrown = or(gt(sql`${signCount}`, passkeys.signCount), and(eq(passkeys.signCount, 0), sql`${signCount} = 0`));
  const recorded = await tx.q
    .update(passkeys)
    .set({ signCount, isBackedUp, lastUsedAt: now })
    .where(and(stored, hasGrown))
    .returning();
  if (recorded.length === 1) return "recorded";
  const [kept] = await tx.q.select({ id: passkeys.id }).from(passkeys).where(stored);
  return kept ? "cloned" : "gone";
}
