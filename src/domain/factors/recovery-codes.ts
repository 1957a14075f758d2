import { and, count, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { randomText } from "../../platform/ids.ts";
import { hashOf } from "../credentials/secrets.ts";
import { consumeLimitIn, refundLimit } from "../limits/window.ts";

/** How many codes a person gets at once. */
export const RECOVERY_CODES = 10;

/** 120 bits: with 112 or more a plain hash is enough (NIST SP 800-63B-4 section 3.1.2.2). */
const LENGTH = 24;

/** Replaces the person's codes by new ones. @returns them, in groups of six characters, to be shown once */
export async function createRecoveryCodes(tx: Tx, personId: string, now: number): Promise<string[]> {
  await deleteRecoveryCodes(tx, personId);
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(LENGTH));
  const rows = codes.map((code) => ({ personId, hash: hashOf(code), createdAt: now, usedAt: null }));
  await tx.q.insert(tx.t.recoveryCodes).values(rows);
  return codes.map((code) => code.match(/.{6}/g)!.join("-"));
}

/**
 * Uses a code, once.
 * @returns how many are left; null when it is none of the person's unused codes
 * @throws Refusal rate_limited after too many wrong ones
 */
export async function useRecoveryCode(
  tx: Tx,
  { personId, code, now }: { personId: string; code: string; now: number },
): Promise<{ left: number } | null> {
  await consumeLimitIn(tx, personId, "wrong_codes", now);
  const { recoveryCodes } = tx.t;
  const used = await tx.q
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.personId, personId),
        eq(recoveryCodes.hash, hashOf(normalised(code))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning();
  if (used.length === 0) return null;
  await refundLimit(tx, personId, "wrong_codes", now);
  return { left: await unusedRecoveryCodes(tx, personId) };
}

export async function unusedRecoveryCodes(db: Reader, personId: string): Promise<number> {
  const { recoveryCodes } = db.t;
  const [row] = await db.q
    .select({ unused: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.personId, personId), isNull(recoveryCodes.usedAt)));
  return row!.unused;
}

export async function deleteRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  const { recoveryCodes } = tx.t;
  await tx.q.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
}

/** As it was made: small letters and digits. Letters that are easily mistaken are read as the digits that are meant. */
function normalised(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
}
