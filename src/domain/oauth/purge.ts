import { and, asc, eq, gt, inArray, isNull, lt, lte, notExists } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import { revokeGrant } from "./grants.ts";
import { RETIRED_KEY_KEPT, rotateOldKeys } from "./signing-keys.ts";
import { forgetSuccessors } from "./successors.ts";

/** Most rows that one transaction deletes, because it blocks other writers meanwhile. */
const BATCH = 500;

/** Most grants that one transaction ends, which takes several statements each. */
const GRANT_BATCH = 50;

/** Age at which a client without a grant is deleted, in ms. */
const CLIENT_UNUSED = 90 * DAY;

/** The longest time for which REFRESH_OVERLAP_SECONDS may keep a successor, in ms. */
const LONGEST_OVERLAP = MINUTE;

/** Deletes what has expired in this folder, and rotates old signing keys. Any number of processes may run it, every hour. */
export async function purgeAuth(db: Engine, now: number): Promise<void> {
  await purgeExpired(db, now);
  // Where the overlap was set to 0, no other job does so.
  await forgetSuccessors(db, now - LONGEST_OVERLAP);
  await endExpiredGrants(db, now);
  await purgeClients(db, now);
  await rotateOldKeys(db, now);
  await db.tx(async (tx) => {
    const { signingKeys } = tx.t;
    await tx.q.delete(signingKeys).where(lte(signingKeys.retiredAt, now - RETIRED_KEY_KEPT));
  });
}

/** Deletes expired codes and tokens. A used refresh token is kept until it expires, so that its reuse is detected. */
async function purgeExpired(db: Engine, now: number): Promise<void> {
  const { codes, accessTokens, refreshTokens } = db.t;
  for (const table of [codes, accessTokens, refreshTokens] as (typeof codes)[]) {
    await inBatches(db, BATCH, async (tx) => {
      const expired = tx.q.select({ hash: table.hash }).from(table).where(lte(table.expiresAt, now)).limit(BATCH);
      return (await tx.q.delete(table).where(inArray(table.hash, expired)).returning({ hash: table.hash })).length;
    });
  }
}

/** Ends grants whose tokens have all expired. Nobody could use them; the log of the account then says so. */
async function endExpiredGrants(db: Engine, now: number): Promise<void> {
  const { grants } = db.t;
  const hasExpired = and(isNull(grants.revokedAt), lte(grants.endsAt, now));
  await inBatches(db, GRANT_BATCH, async (tx) => {
    const rows = await tx.q.select({ id: grants.id }).from(grants).where(hasExpired).limit(GRANT_BATCH);
    for (const { id: grantId } of rows) await revokeGrant(tx, { grantId, by: "expired", now });
    return rows.length;
  });
}

/** Deletes old clients without a grant; an app that needs one again registers again. */
async function purgeClients(db: Engine, now: number): Promise<void> {
  for (let after = ""; ; ) {
    const ids = await oldClients(db, after, now);
    if (ids.length === 0) return;
    await db.tx((tx) => deleteUnused(tx, ids));
    after = ids.at(-1)!;
  }
}

async function oldClients(db: Reader, after: string, now: number): Promise<string[]> {
  const { clients } = db.t;
  const rows = await db.q
    .select({ id: clients.id })
    .from(clients)
    .where(and(gt(clients.id, after), lt(clients.createdAt, now - CLIENT_UNUSED)))
    .orderBy(asc(clients.id))
    .limit(BATCH);
  return rows.map(({ id }) => id);
}

async function deleteUnused({ q, t: { clients, grants, codes } }: Tx, ids: readonly string[]): Promise<void> {
  const activeGrants = q
    .select({ id: grants.id })
    .from(grants)
    .where(and(eq(grants.clientId, clients.id), isNull(grants.revokedAt)));
  // Expired codes were deleted before.
  const openCodes = q.select({ hash: codes.hash }).from(codes).where(eq(codes.clientId, clients.id));
  await q.delete(clients).where(and(inArray(clients.id, [...ids]), notExists(activeGrants), notExists(openCodes)));
}

/** Runs `work` in one transaction after another until it changes fewer rows than a batch. @param work returns their number */
async function inBatches(db: Engine, size: number, work: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await db.tx(work)) >= size);
}
