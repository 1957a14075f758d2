import { and, asc, inArray, isNotNull, lte, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { EventRow } from "./events.ts";

/**
 * Hands events on, in the transaction that takes them out of the queue: what it writes is written exactly once for each event.
 * @param events events of any accounts; the events of one account are in order
 * @param now real time
 */
export type EventConsumer = (tx: Tx, events: readonly EventRow[], now: number) => Promise<void>;

/** Events that one transaction hands on at most. */
const BATCH = 200;

/**
 * Hands queued events to all consumers, oldest first, until none waits. Several processes may do so at once.
 * @returns how many it handed on
 */
export async function relayEvents(db: Engine, consumers: readonly EventConsumer[], now: () => number): Promise<number> {
  let relayed = 0;
  // A read decides, so that an idle process never takes the writer.
  while (await isAnyQueued(db)) {
    const at = now();
    relayed += await db.tx(async (tx) => {
      const events = await takeQueued(tx);
      for (const consume of consumers) await consume(tx, events, at);
      return events.length;
    });
  }
  return relayed;
}

async function isAnyQueued({ q, t: { events } }: Engine): Promise<boolean> {
  const rows = await q.select({ no: events.no }).from(events).where(isNotNull(events.queuedAt)).limit(1);
  return rows.length > 0;
}

async function takeQueued({ q, t: { events } }: Tx): Promise<EventRow[]> {
  const queued = await q
    .select({ accountId: events.accountId, no: events.no, queuedAt: events.queuedAt })
    .from(events)
    .where(isNotNull(events.queuedAt))
    .orderBy(asc(events.queuedAt), asc(events.accountId), asc(events.no))
    .limit(BATCH);
  const [accounts, numbers] = [queued.map(({ accountId }) => accountId), queued.map(({ no }) => no)];
  if (queued.length === 0) return [];
  // Rows of other accounts with these numbers are not queued, or are handed on now as well.
  const isTaken = and(
    inArray(events.accountId, [...new Set(accounts)]),
    inArray(events.no, [...new Set(numbers)]),
    isNotNull(events.queuedAt),
    lte(events.queuedAt, queued.at(-1)!.queuedAt!),
  );
  const taken = await q.update(events).set({ queuedAt: sql`NULL` }).where(isTaken).returning();
  return taken.sort((a, b) => a.at - b.at || a.no - b.no);
}
