import { and, eq, lt, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Reader, Tx } from "../../../db/engine.ts";
import { SECOND } from "../../platform/clock.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";
import { consumeLimitIn, refundLimit } from "../limits/window.ts";

/** Six digits, changing every 30 s (RFC 6238 section 5.2), which every app understands. */
const PARAMETERS = { issuer: "Beckon", algorithm: "SHA1", digits: 6, period: 30 } as const;

/** Codes of the steps before and after now are accepted too, for clocks that differ and for slow fingers. */
const STEPS_AROUND = 1;

/** Most wrong codes in a row (NIST SP 800-63B-4 section 3.2.2); then another factor is needed. */
export const MAX_WRONG_CODES = 100;

/** A new shared secret of 160 bits in base 32 (RFC 4226 section 4). */
export function newAuthenticatorSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an app reads from a QR code. */
export function authenticatorUri(secret: string, email: string): string {
  return new TOTP({ ...PARAMETERS, label: email, secret }).toString();
}

/** The step around now whose code this is; null when there is no such step. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = new TOTP({ ...PARAMETERS, secret }).validate({ token, timestamp: now, window: STEPS_AROUND });
  return delta === null ? null : Math.floor(now / (PARAMETERS.period * SECOND)) + delta;
}

export async function authenticatorAppOf(db: Reader, personId: string) {
  const { authenticatorApps } = db.t;
  const [row] = await db.q.select().from(authenticatorApps).where(eq(authenticatorApps.personId, personId));
  return row ?? null;
}

/** Adds an app that has shown a first code, which is used up by it. @returns false when the person has one already */
export async function addAuthenticatorApp(
  tx: Tx,
  box: SecretBox,
  { personId, secret, step, now }: { personId: string; secret: string; step: number; now: number },
): Promise<boolean> {
  const sealedSecret = box.seal(secret, fieldOf(personId));
  const added = await tx.q
    .insert(tx.t.authenticatorApps)
    .values({ personId, sealedSecret, lastStep: step, wrongCodes: 0, createdAt: now, lastUsedAt: null })
    .onConflictDoNothing()
    .returning();
  return added.length === 1;
}

/**
 * Checks a code of the person's app, and uses it up. It counts as wrong until it has proved right, so that simultaneous
 * guesses are all counted.
 * @returns `locked` after MAX_WRONG_CODES in a row
 * @throws Refusal rate_limited; Unsealable
 */
export async function useCode(
  tx: Tx,
  box: SecretBox,
  { personId, code, now }: { personId: string; code: string; now: number },
): Promise<"right" | "wrong" | "locked"> {
  await consumeLimitIn(tx, personId, "wrong_codes", now);
  const { authenticatorApps: apps } = tx.t;
  const own = eq(apps.personId, personId);
  const [app] = await tx.q
    .update(apps)
    .set({ wrongCodes: sql`${apps.wrongCodes} + 1` })
    .where(and(own, lt(apps.wrongCodes, MAX_WRONG_CODES)))
    .returning();
  if (!app) return (await authenticatorAppOf(tx, personId)) ? "locked" : "wrong";
  const step = stepOfCode(box.open(app.sealedSecret, fieldOf(personId)), code, now);
  if (step === null || step <= app.lastStep) return "wrong";
  await tx.q.update(apps).set({ lastStep: step, lastUsedAt: now, wrongCodes: 0 }).where(own);
  await refundLimit(tx, personId, "wrong_codes", now);
  return "right";
}

/** Forgets wrong codes, once another factor was shown. */
export async function resetWrongCodes(tx: Tx, personId: string): Promise<void> {
  const { authenticatorApps: apps } = tx.t;
  await tx.q.update(apps).set({ wrongCodes: 0 }).where(eq(apps.personId, personId));
}

/** @returns false when the person has no app */
export async function deleteAuthenticatorApp(tx: Tx, personId: string): Promise<boolean> {
  const { authenticatorApps: apps } = tx.t;
  return (await tx.q.delete(apps).where(eq(apps.personId, personId)).returning()).length === 1;
}

function fieldOf(personId: string): SealedField {
  return { table: "authenticator_apps", row: personId, column: "sealed_secret" };
}
