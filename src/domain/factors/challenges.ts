import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";

/** How long a challenge can be answered, in ms. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** Most rows that one transaction deletes, because it blocks other writers meanwhile. */
const BATCH = 500;

export type ChallengePurpose = "register" | "authenticate";

interface Challenge {
  /** In base64url. */
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  /** The browser that may answer it. */
  readonly visitorHash: string;
  readonly now: number;
}

export async function storeChallenge(tx: Tx, { now, ...challenge }: Challenge): Promise<void> {
  await tx.q.insert(tx.t.passkeyChallenges).values({ ...challenge, expiresAt: now + CHALLENGE_LIFETIME });
}

/** Uses a challenge, so that it is answered once. @returns false when this browser was given no such challenge lately */
export async function takeChallenge(tx: Tx, { challenge, purpose, visitorHash, now }: Challenge): Promise<boolean> {
  const { passkeyChallenges: challenges } = tx.t;
  const taken = await tx.q
    .delete(challenges)
    .where(
      and(
        eq(challenges.challenge, challenge),
        eq(challenges.purpose, purpose),
        eq(challenges.visitorHash, visitorHash),
        gt(challenges.expiresAt, now),
      ),
    )
    .returning();
  return taken.length === 1;
}

/** Deletes expired challenges; runs every hour. */
export async function purgeChallenges(db: Engine, now: number): Promise<void> {
  const { passkeyChallenges: challenges } = db.t;
  const { challenge } = challenges;
  const deleteBatch = async ({ q }: Tx) => {
    const expired = q.select({ challenge }).from(challenges).where(lte(challenges.expiresAt, now)).limit(BATCH);
    return (await q.delete(challenges).where(inArray(challenge, expired)).returning({ challenge })).length;
  };
  while ((await db.tx(deleteBatch)) === BATCH);
}
