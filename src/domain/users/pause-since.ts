import { and, eq, gte, inArray, ne, or, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { PERSON } from "../../platform/principal.ts";
import type { PausedThing } from "../mail/layout/paused-things.ts";
import { holdDeliveries } from "../webhooks/queue.ts";

/**
 * Pauses what was made or changed in the name of the person since then and acts by itself: an intruder's webhooks and watches would go
 * on without a session. It runs in the transaction that takes the account back, before the access of credentials ends, which pauses
 * their watches.
 *
 * @param since real time
 * @returns what is paused by then, for the mail: the person can make it active again
 */
export async function pauseSince(tx: Tx, accountId: string, since: number): Promise<readonly PausedThing[]> {
  return [...(await pauseWebhooks(tx, accountId, since)), ...(await pauseWatches(tx, accountId, since))];
}

async function pauseWebhooks(tx: Tx, accountId: string, since: number): Promise<PausedThing[]> {
  const { webhooks } = tx.t;
  const isOfPerson = and(eq(webhooks.accountId, accountId), eq(webhooks.maker, PERSON), gte(webhooks.changedAt, since));
  const paused = await tx.q
    .update(webhooks)
    .set({ status: "paused" })
    .where(and(isOfPerson, eq(webhooks.status, "active")))
    .returning();
  for (const { id } of paused) await holdDeliveries(tx, id);
  return paused.map(({ url }) => ({ kind: "webhook", where: new URL(url).origin }));
}

async function pauseWatches(tx: Tx, accountId: string, since: number): Promise<PausedThing[]> {
  const { watches } = tx.t;
  const isRunning = and(eq(watches.accountId, accountId), inArray(watches.status, ["active", "held"]));
  const isMeant = or(ne(watches.maker, PERSON), gte(watches.changedAt, since));
  const stops = await tx.q.select().from(watches).where(and(isRunning, isMeant)).orderBy(watches.no);
  // With another revision, a run that has begun writes nothing.
  const set = {
    status: "paused",
    reason: null,
    nextRunAt: null,
    leaseUntil: null,
    revision: sql`${watches.revision} + 1`,
  };
  await tx.q
    .update(watches)
    .set(set)
    .where(and(isRunning, eq(watches.maker, PERSON), gte(watches.changedAt, since)));
  return stops.map(({ sitemapUrl }) => ({ kind: "watch", where: sitemapUrl }));
}
