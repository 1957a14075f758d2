import { and, count, eq, gte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { authenticatorAppOf, deleteAuthenticatorApp } from "./authenticator-app.ts";
import { deleteRecoveryCodes, unusedRecoveryCodes } from "./recovery-codes.ts";
import { cancelRemoval } from "./removals.ts";

/** What an account has for signing in, in addition to its password. */
export interface Factors {
  readonly passkeys: number;
  readonly hasApp: boolean;
  /** Recovery codes that were not used yet. */
  readonly recoveryCodes: number;
}

export async function factorsOf(db: Reader, accountId: string): Promise<Factors> {
  const { passkeys } = db.t;
  const [row] = await db.q.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.accountId, accountId));
  const app = await authenticatorAppOf(db, accountId);
  const recoveryCodes = await unusedRecoveryCodes(db, accountId);
  return { passkeys: row!.passkeys, hasApp: app !== null, recoveryCodes };
}

/** Whether there is a passkey or an app; recovery codes only replace them. */
export function hasFactor({ passkeys, hasApp }: Factors): boolean {
  return passkeys > 0 || hasApp;
}

/** Whether sign-in by password is to ask for a factor. Without one, it never does. */
export async function requireFactor(tx: Tx, accountId: string, isFactorRequired: boolean): Promise<void> {
  const { accounts } = tx.t;
  await tx.q.update(accounts).set({ isFactorRequired }).where(eq(accounts.id, accountId));
}

/** Takes away what makes no sense without a factor, when the last one was removed. @returns whether none is left */
export async function clearWithoutFactor(tx: Tx, accountId: string): Promise<boolean> {
  if (hasFactor(await factorsOf(tx, accountId))) return false;
  await deleteRecoveryCodes(tx, accountId);
  await cancelRemoval(tx, accountId);
  await requireFactor(tx, accountId, false);
  return true;
}

/** Removes the factors, and recovery codes, that an account got at a time or later. */
export async function deleteFactorsSince(tx: Tx, accountId: string, since: number): Promise<void> {
  const { passkeys, authenticatorApps, recoveryCodes } = tx.t;
  for (const table of [passkeys, authenticatorApps, recoveryCodes] as (typeof passkeys)[])
    await tx.q.delete(table).where(and(eq(table.accountId, accountId), gte(table.createdAt, since)));
  await clearWithoutFactor(tx, accountId);
}

/** Removes every factor of an account. */
export async function deleteFactors(tx: Tx, accountId: string): Promise<void> {
  const { passkeys } = tx.t;
  await tx.q.delete(passkeys).where(eq(passkeys.accountId, accountId));
  await deleteAuthenticatorApp(tx, accountId);
  await clearWithoutFactor(tx, accountId);
}
