import { and, asc, eq, gt, inArray, isNull, lt, lte, notExists } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { purgeWindows } from "../limits/window.ts";
import { purgeSecurityEvents } from "./events.ts";
import { revokeGrant } from "./grants.ts";
import { RETIRED_KEY_KEPT, rotateOldKeys } from "./signing-keys.ts";
import { LIFETIMES } from "./tokens.ts";

/** Most rows that one transaction deletes: the writer is held for a few ms. */
const BATCH = 500;

/** Most grants that one ends, which takes several statements each. */
const FEW = 50;

/** Age at which a client that nobody has connected is forgotten, in ms. */
const CLIENT_UNUSED = 90 * DAY;

/** Housekeeping of sign-in, to be done every hour by any number of processes: forgets what is over. */
export async function purgeAuth(db: Engine, now: number): Promise<void> {
  await purgeExpired(db, now);
  await endNeverCollected(db, now);
  await purgeRegistrations(db, now);
  await purgeClients(db, now);
  await inBatches(db, BATCH, (tx) => purgeWindows(tx, now, BATCH));
  await inBatches(db, BATCH, (tx) => purgeSecurityEvents(tx, now, BATCH));
  await rotateOldKeys(db, now);
  await db.tx(async (tx) => {
    const { signingKeys } = tx.t;
    await tx.q.delete(signingKeys).where(lte(signingKeys.retiredAt, now - RETIRED_KEY_KEPT));
  });
}

/** A used refresh token is kept until it expires, so that whoever stole it is noticed. */
async function purgeExpired(db: Engine, now: number): Promise<void> {
  const { codes, accessTokens, refreshTokens } = db.t;
  for (const table of [codes, accessTokens, refreshTokens] as (typeof codes)[]) {
    await inBatches(db, BATCH, async (tx) => {
      const expired = tx.q.select({ hash: table.hash }).from(table).where(lte(table.expiresAt, now)).limit(BATCH);
      return (await tx.q.delete(table).where(inArray(table.hash, expired)).returning({ hash: table.hash })).length;
    });
  }
}

/** Agents that were claimed and never came for their token: nobody can come any more. */
async function endNeverCollected(db: Engine, now: number): Promise<void> {
  const { registrations } = db.t;
  const late = and(
    eq(registrations.status, "claimed"),
    isNull(registrations.deliveredAt),
    lte(registrations.expiresAt, now - LIFETIMES.collection),
  );
  await inBatches(db, FEW, async (tx) => {
    const ids = tx.q.select({ id: registrations.id }).from(registrations).where(late).limit(FEW);
    const ended = await tx.q
      .update(registrations)
      .set({ status: "withdrawn" })
      .where(and(inArray(registrations.id, ids), late))
      .returning({ grantId: registrations.grantId });
    for (const { grantId } of ended) {
      if (grantId !== null) await revokeGrant(tx, { grantId, by: "never_collected", now });
    }
    return ended.length;
  });
}

/** A registration is kept as long as its agent's assertion may be good: its claim token can end the agent. */
async function purgeRegistrations(db: Engine, now: number): Promise<void> {
  const { registrations } = db.t;
  const over = lte(registrations.expiresAt, now - LIFETIMES.assertion);
  await inBatches(db, BATCH, async (tx) => {
    const ids = tx.q.select({ id: registrations.id }).from(registrations).where(over).limit(BATCH);
    return (await tx.q.delete(registrations).where(inArray(registrations.id, ids)).returning()).length;
  });
}

/** Clients that are old and connected nowhere; an app that comes back registers again. */
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
  const living = q
    .select({ id: grants.id })
    .from(grants)
    .where(and(eq(grants.clientId, clients.id), isNull(grants.revokedAt)));
  // Codes that have expired are gone by now.
  const issued = q.select({ hash: codes.hash }).from(codes).where(eq(codes.clientId, clients.id));
  await q.delete(clients).where(and(inArray(clients.id, [...ids]), notExists(living), notExists(issued)));
}

/** Repeats `work` in transactions of its own until one finds less than a whole batch. @param work how many rows it took */
async function inBatches(db: Engine, size: number, work: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await db.tx(work)) >= size);
}
