import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";
import { factorsOf, hasFactor } from "../factors/factors.ts";
import { personById } from "../people/people.ts";
import { openSession } from "./sessions.ts";

/** How long the second step may take, in ms. */
const LIFETIME = 15 * MINUTE;

/** A sign-in whose password was right. */
export interface PendingSignIn {
  /** SHA-256 of its secret in hex. */
  readonly hash: string;
  readonly personId: string;
}

/**
 * Signs a browser in after its password, a link, or the answer of the issuer, was right. Where the person requires a factor too, no session is
 * opened yet: the secret is one that `completeSignIn` takes together with a factor.
 */
export async function beginSession(
  tx: Tx,
  session: { personId: string; browser: string; ip: string; authenticatedAt?: number; now: number },
): Promise<{ secret: string; isPending: boolean }> {
  const { personId, now } = session;
  const { isFactorRequired } = await personById(tx, personId);
  if (!isFactorRequired || !hasFactor(await factorsOf(tx, personId)))
    return { secret: await openSession(tx, session), isPending: false };
  const { secret, hash } = newSecret("session");
  await tx.q.insert(tx.t.pendingSignIns).values({ hash, personId, expiresAt: now + LIFETIME });
  return { secret, isPending: true };
}

/** The sign-in of a cookie that waits for a factor; null when there is none. */
export async function pendingSignInOf(db: Reader, secret: string, now: number): Promise<PendingSignIn | null> {
  if (!isSecret("session", secret)) return null;
  const { pendingSignIns: pending } = db.t;
  const [row] = await db.q
    .select()
    .from(pending)
    .where(and(eq(pending.hash, hashOf(secret)), gt(pending.expiresAt, now)));
  return row ?? null;
}

/** Ends a sign-in that waits for a factor. @returns false when it has ended meanwhile */
export async function endPendingSignIn(tx: Tx, { hash }: PendingSignIn, now: number): Promise<boolean> {
  const { pendingSignIns: pending } = tx.t;
  const ended = await tx.q
    .delete(pending)
    .where(and(eq(pending.hash, hash), gt(pending.expiresAt, now)))
    .returning();
  return ended.length === 1;
}

/** Deletes sign-ins whose time for the second step is over. @returns how many, at most `most` */
export async function purgePendingSignIns(tx: Tx, now: number, most: number): Promise<number> {
  const { pendingSignIns: pending } = tx.t;
  const { hash } = pending;
  const expired = tx.q.select({ hash }).from(pending).where(lte(pending.expiresAt, now)).limit(most);
  return (await tx.q.delete(pending).where(inArray(hash, expired)).returning({ hash })).length;
}
