import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { recordEvents } from "../events/record.ts";
import type { EventData, NewEvent } from "../events/types.ts";
import { soonestRunAt } from "./schedule.ts";

/** Why watches pause without anybody having paused them. */
export type PauseReason = Extract<EventData["watch.held"]["reason"], "account_deletion" | "credential_ended">;

/** Watches that pause together. */
interface Paused {
  readonly accountId: string;
  readonly reason: PauseReason;
  /** Real time. */
  readonly now: number;
}

/**
 * Pauses all running watches of an account whose deletion was requested: nothing is spent for somebody who is leaving. Watches of keys,
 * apps and agents are paused for their own reason by then.
 */
export async function pauseForDeletion(tx: Tx, accountId: string, now: number): Promise<void> {
  await pause(tx, undefined, { accountId, reason: "account_deletion", now });
}

/**
 * Lets the watches go on that the deletion of the account has paused, since it is kept. Each reads its whole sitemap as soon as it may, so that
 * one that was held is held again where its sitemap is still the same.
 * @param service now
 */
export async function resumeAfterDeletion(tx: Tx, accountId: string, service: number): Promise<void> {
  const { watches } = tx.t;
  const isPaused = and(eq(watches.status, "paused"), eq(watches.reason, "account_deletion" satisfies PauseReason));
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

async function pause(tx: Tx, which: SQL | undefined, { accountId, reason, now }: Paused): Promise<void> {
  const { watches } = tx.t;
  const isRunning = inArray(watches.status, ["active", "held"]);
  const paused = await tx.q
    .update(watches)
    // With another revision, a run that has begun writes nothing.
    .set({ status: "paused", reason, nextRunAt: null, leaseUntil: null, revision: sql`${watches.revision} + 1` })
    .where(and(eq(watches.accountId, accountId), isRunning, which))
    .returning();
  const events = paused.map(({ id, sitemapUrl, pages }): NewEvent => {
    const counts = { known: pages, new: 0, changed: 0, removed: 0 };
    return { type: "watch.held", data: { watch_id: id, sitemap_url: sitemapUrl, status: "paused", reason, ...counts } };
  });
  await recordEvents(tx, accountId, events, now);
}
