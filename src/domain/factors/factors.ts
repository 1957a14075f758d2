import { and, count, eq, gte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { changePerson } from "../people/people.ts";
import { authenticatorAppOf, deleteAuthenticatorApp } from "./authenticator-app.ts";
import { deleteRecoveryCodes, unusedRecoveryCodes } from "./recovery-codes.ts";
import { cancelRemoval } from "./removals.ts";

/** What a person has for signing in, in addition to its password. */
export interface Factors {
  readonly passkeys: number;
  readonly hasApp: boolean;
  /** Recovery codes that were not used yet. */
  readonly recoveryCodes: number;
}

export async function factorsOf(db: Reader, personId: string): Promise<Factors> {
  const { passkeys } = db.t;
  const [row] = await db.q.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.personId, personId));
  const app = await authenticatorAppOf(db, personId);
  const recoveryCodes = await unusedRecoveryCodes(db, personId);
  return { passkeys: row!.passkeys, hasApp: app !== null, recoveryCodes };
}

/** Whether there is a passkey or an app; recovery codes only replace them. */
export function hasFactor({ passkeys, hasApp }: Factors): boolean {
  return passkeys > 0 || hasApp;
}

/** Whether sign-in by password is to ask for a factor. Without one, it never does. */
export async function requireFactor(tx: Tx, personId: string, isFactorRequired: boolean): Promise<void> {
  await changePerson(tx, personId, { isFactorRequired });
}

/** Takes away what makes no sense without a factor, when the last one was removed. @returns whether none is left */
export async function clearWithoutFactor(tx: Tx, personId: string): Promise<boolean> {
  if (hasFactor(await factorsOf(tx, personId))) return false;
  await deleteRecoveryCodes(tx, personId);
  await cancelRemoval(tx, personId);
  await requireFactor(tx, personId, false);
  return true;
}

/** Removes the factors, and recovery codes, that a person got at a time or later. */
export async function deleteFactorsSince(tx: Tx, personId: string, since: number): Promise<void> {
  const { passkeys, authenticatorApps, recoveryCodes } = tx.t;
  for (const table of [passkeys, authenticatorApps, recoveryCodes] as (typeof passkeys)[])
    await tx.q.delete(table).where(and(eq(table.personId, personId), gte(table.createdAt, since)));
  await clearWithoutFactor(tx, personId);
}

/** Removes every factor of a person. */
export async function deleteFactors(tx: Tx, personId: string): Promise<void> {
  const { passkeys } = tx.t;
  await tx.q.delete(passkeys).where(eq(passkeys.personId, personId));
  await deleteAuthenticatorApp(tx, personId);
  await clearWithoutFactor(tx, personId);
}
