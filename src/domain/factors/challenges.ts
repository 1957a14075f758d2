import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";

/** How long a challenge can be answered, in ms. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

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

/** Deletes expired challenges. @returns how many, at most `most` */
export async function purgeChallenges(tx: Tx, now: number, most: number): Promise<number> {
  const { passkeyChallenges: challenges } = tx.t;
  const { challenge } = challenges;
  const expired = tx.q.select({ challenge }).from(challenges).where(lte(challenges.expiresAt, now)).limit(most);
  return (await tx.q.delete(challenges).where(inArray(challenge, expired)).returning({ challenge })).length;
}
