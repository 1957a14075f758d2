import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { recordEvents } from "../events/record.ts";
import type { EventData, NewEvent } from "../events/types.ts";
import { soonestRunAt } from "./schedule.ts";

/** Why watches pause without anybody having paused them. */
type PauseReason = Extract<EventData["watch.held"]["reason"], "account_deletion" | "account_disabled">;

/**
 * Pauses all running watches of an account that may not spend for now. Those of keys, apps and agents whose access has ended are paused
 * for their own reason by then.
 * @param now real time
 */
export async function pauseAll(tx: Tx, accountId: string, reason: PauseReason, now: number): Promise<void> {
  const { watches } = tx.t;
  const paused = await tx.q
    .update(watches)
    // With another revision, a run that has begun writes nothing.
    .set({ status: "paused", reason, nextRunAt: null, leaseUntil: null, revision: sql`${watches.revision} + 1` })
    .where(and(eq(watches.accountId, accountId), inArray(watches.status, ["active", "held"])))
    .returning();
  const events = paused.map(({ id, sitemapUrl, pages }): NewEvent => {
    const counts = { known: pages, new: 0, changed: 0, removed: 0 };
    return { type: "watch.held", data: { watch_id: id, sitemap_url: sitemapUrl, status: "paused", reason, ...counts } };
  });
  await recordEvents(tx, accountId, events, now);
}

/**
 * Lets the watches go on that have paused for this reason, which is over. Each reads its whole sitemap as soon as it may, so that one
 * that was held is held again where its sitemap is still the same.
 * @param service now
 */
export async function resumeAll(tx: Tx, accountId: string, reason: PauseReason, service: number): Promise<void> {
  const { watches } = tx.t;
  const isPaused = and(eq(watches.status, "paused"), eq(watches.reason, reason));
  const paused = await tx.q
    .select({ no: watches.no, readAt: watches.readAt })
    .from(watches)
    .where(and(eq(watches.accountId, accountId), isPaused));
  for (const { no, readAt } of paused)
    await tx.q
      .update(watches)
      .set({
        status: "active",
        reason: null,
        nextRunAt: soonestRunAt(readAt, service),
        documents: null,
        revision: sql`${watches.revision} + 1`,
      })
      .where(eq(watches.no, no));
}
