import { and, eq, inArray, isNull, lte } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { revokeGrant } from "../oauth/grants.ts";
import { LIFETIMES } from "../oauth/tokens.ts";

/** Most rows that one transaction deletes; it blocks other writers for a few ms. */
const BATCH = 500;

/** Most grants that one transaction ends, which takes several statements each. */
const GRANT_BATCH = 50;

/** Deletes registrations that have expired, and ends grants whose tokens were not collected. Any number of processes may run it, every hour. */
export async function purgeRegistrations(db: Engine, now: number): Promise<void> {
  await endNeverCollected(db, now);
  await deleteExpired(db, now);
}

/** Withdraws registrations that were claimed but whose token was not collected in time, and ends their grants. */
async function endNeverCollected(db: Engine, now: number): Promise<void> {
  const { registrations } = db.t;
  const isOverdue = and(
    eq(registrations.status, "claimed"),
    isNull(registrations.deliveredAt),
    lte(registrations.expiresAt, now - LIFETIMES.collection),
  );
  const endBatch = async (tx: Tx) => {
    const ids = tx.q.select({ id: registrations.id }).from(registrations).where(isOverdue).limit(GRANT_BATCH);
    const ended = await tx.q
      .update(registrations)
      .set({ status: "withdrawn" })
      .where(and(inArray(registrations.id, ids), isOverdue))
      .returning({ grantId: registrations.grantId });
    for (const { grantId } of ended) {
      if (grantId !== null) await revokeGrant(tx, { grantId, by: "never_collected", now });
    }
    return ended.length;
  };
  while ((await db.tx(endBatch)) === GRANT_BATCH);
}

/** Deletes registrations once the agent's assertion has expired: until then its claim token can still revoke the grant. */
async function deleteExpired(db: Engine, now: number): Promise<void> {
  const { registrations } = db.t;
  const isExpired = lte(registrations.expiresAt, now - LIFETIMES.assertion);
  const deleteBatch = async (tx: Tx) => {
    const ids = tx.q.select({ id: registrations.id }).from(registrations).where(isExpired).limit(BATCH);
    return (await tx.q.delete(registrations).where(inArray(registrations.id, ids)).returning()).length;
  };
  while ((await db.tx(deleteBatch)) === BATCH);
}
