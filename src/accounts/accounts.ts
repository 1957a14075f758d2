import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../db/engine.ts";
import { newId } from "../ids.ts";

export const BUCKETS = 64;

/** The share of the work an account belongs to. */
export function bucketOf(accountId: string): number {
  return createHash("sha256").update(accountId).digest()[0]! % BUCKETS;
}

export interface NewAccount {
  readonly email: string;
  readonly name?: string;
  readonly now: number;
}

/** @throws Error when the e-mail address has an account already */
export async function createAccount(tx: Tx, { email, name, now }: NewAccount) {
  const id = newId("acc");
  const address = email.trim().toLowerCase();
  const [row] = await tx.q
    .insert(tx.t.accounts)
    .values({
      id,
      bucket: bucketOf(id),
      email: address,
      name: name ?? address.split("@")[0]!,
      credits: 0,
      entries: 0,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new Error(`There is an account for ${address} already.`);
  return row;
}

/** @throws Error when there is none: for ids that a credential or a project vouches for */
export async function accountById(db: Reader, id: string) {
  const account = await findAccount(db, id);
  if (!account) throw new Error(`account ${id} is gone`);
  return account;
}

export async function findAccount(db: Reader, id: string) {
  const [row] = await db.q.select().from(db.t.accounts).where(eq(db.t.accounts.id, id));
  return row ?? null;
}

export async function accountByEmail(db: Reader, email: string) {
  const [row] = await db.q.select().from(db.t.accounts).where(eq(db.t.accounts.email, email.trim().toLowerCase()));
  return row ?? null;
}
