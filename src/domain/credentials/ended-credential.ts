import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { recordEvents } from "../events/record.ts";
import type { NewEvent } from "../events/types.ts";
import { endApprovalsOf } from "../spending/approvals.ts";

/**
 * Ends what a key or grant goes on with by itself, in the transaction that ends its access: nobody is asked any more to approve its
 * calls, its watches pause, its shares end, and so does what it asked to be told of by MCP Events.
 *
 * @param maker the id of the key or grant, or of a person who is removed
 */
export async function endItsWork(
  tx: Tx,
  { accountId, maker, now }: { readonly accountId: string; readonly maker: string; readonly now: number },
): Promise<void> {
  await endApprovalsOf(tx, { accountId, credential: maker, now });
  await pauseItsWatches(tx, { accountId, maker, now });
  const { shares } = tx.t;
  await tx.q
    .update(shares)
    .set({ endedAt: now })
    .where(and(eq(shares.accountId, accountId), eq(shares.maker, maker), isNull(shares.endedAt)))
    .returning({ id: shares.id });
  await endItsSubscriptions(tx, maker);
}

async function endItsSubscriptions(tx: Tx, maker: string): Promise<void> {
  const { eventSubscriptions: t, webhookDeliveries } = tx.t;
  const ids = tx.q.select({ id: t.id }).from(t).where(eq(t.maker, maker));
  await tx.q.delete(webhookDeliveries).where(inArray(webhookDeliveries.targetId, ids));
  await tx.q.delete(t).where(eq(t.maker, maker));
}

/** Pauses watches that spend in the name of a credential, and tells their person, so that no sitemap is read for it afterwards. */
async function pauseItsWatches(
  tx: Tx,
  { accountId, maker, now }: { readonly accountId: string; readonly maker: string; readonly now: number },
): Promise<void> {
  const { watches } = tx.t;
  const isRunning = inArray(watches.status, ["active", "held"]);
  const paused = await tx.q
    .update(watches)
    .set({
      ...{ status: "paused", reason: "credential_ended", nextRunAt: null, leaseUntil: null },
      sealedHookSecret: null,
      // A run that has begun writes nothing.
      revision: sql`${watches.revision} + 1`,
    })
    .where(and(eq(watches.accountId, accountId), eq(watches.maker, maker), isRunning))
    .returning();
  const events = paused.map(({ id, sitemapUrl, pages }): NewEvent => {
    const counts = { known: pages, new: 0, changed: 0, removed: 0 };
    const why = { status: "paused", reason: "credential_ended" } as const;
    return { type: "watch.held", data: { watch_id: id, sitemap_url: sitemapUrl, ...why, ...counts } };
  });
  await recordEvents(tx, accountId, events, now);
}
