import { and, eq, gte, inArray, isNull, or, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { PausedThing } from "../mail/layout/paused-things.ts";
import { holdDeliveries } from "../webhooks/queue.ts";

/**
 * Pauses what was made or changed by the person since then and acts by itself: an intruder's webhooks and watches would go
 * on without a session. It runs in the transaction in which the person takes back the access, before the access of credentials ends, which pauses
 * their watches. Shares that were made since end for good: whoever made them has their addresses.
 *
 * @param times.since real time, from which on it counts
 * @returns what is paused by then, for the mail: the person can make it active again
 */
export async function pauseSince(
  tx: Tx,
  personId: string,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<readonly PausedThing[]> {
  await endShares(tx, personId, { since, now });
  return [...(await pauseWebhooks(tx, personId, since)), ...(await pauseWatches(tx, personId, since))];
}

async function endShares(tx: Tx, personId: string, { since, now }: { since: number; now: number }): Promise<void> {
  const { shares } = tx.t;
  await tx.q
    .update(shares)
    .set({ endedAt: now })
    .where(and(eq(shares.maker, personId), gte(shares.createdAt, since), isNull(shares.endedAt)))
    .returning({ id: shares.id });
}

async function pauseWebhooks(tx: Tx, personId: string, since: number): Promise<PausedThing[]> {
  const { webhooks } = tx.t;
  const isOfPerson = and(eq(webhooks.maker, personId), gte(webhooks.changedAt, since));
  const paused = await tx.q
    .update(webhooks)
    .set({ status: "paused" })
    .where(and(isOfPerson, eq(webhooks.status, "active")))
    .returning();
  for (const { id } of paused) await holdDeliveries(tx, id);
  return paused.map(({ url }) => ({ kind: "webhook", where: new URL(url).origin }));
}

async function pauseWatches(tx: Tx, personId: string, since: number): Promise<PausedThing[]> {
  const { watches, apiKeys, grants } = tx.t;
  const isRunning = inArray(watches.status, ["active", "held"]);
  const isOfPerson = and(eq(watches.maker, personId), gte(watches.changedAt, since));
  const keys = tx.q.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.personId, personId));
  const connected = tx.q.select({ id: grants.id }).from(grants).where(eq(grants.personId, personId));
  const isMeant = or(isOfPerson, inArray(watches.maker, keys), inArray(watches.maker, connected));
  const stops = await tx.q.select().from(watches).where(and(isRunning, isMeant)).orderBy(watches.no);
  // With another revision, a run that has begun writes nothing.
  const set = {
    status: "paused",
    reason: null,
    nextRunAt: null,
    leaseUntil: null,
    revision: sql`${watches.revision} + 1`,
  };
  await tx.q.update(watches).set(set).where(and(isRunning, isOfPerson));
  return stops.map(({ sitemapUrl }) => ({ kind: "watch", where: sitemapUrl }));
}
