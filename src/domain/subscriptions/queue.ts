import { and, gt, inArray } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { EventRow } from "../events/events.ts";
import { insertDeliveries, MOST_REPEATED, newDelivery } from "../webhooks/queue.ts";
import { fieldsOf, isWithin, narrowingOf } from "./narrowing.ts";
import { readEvents, type Start } from "./positions.ts";
import type { SubscriptionRow } from "./subscriptions.ts";

/** Queues a delivery of each event for each subscription that is about it. A consumer of `relayEvents`. */
export async function queueForSubscriptions(tx: Tx, events: readonly EventRow[], now: number): Promise<void> {
  if (events.length === 0) return;
  const { eventSubscriptions: t } = tx.t;
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const types = [...new Set(events.map(({ type }) => type))];
  const isAbout = and(inArray(t.accountId, accounts), inArray(t.type, types), gt(t.expiresAt, now));
  const told = await tx.q.select().from(t).where(isAbout);
  const candidates = events.map((event) => ({ event, fields: fieldsOf(event.data) }));
  const rows = told.flatMap((row) => {
    const narrowing = narrowingOf(row);
    return candidates
      .filter(
        ({ event: { accountId, type, no } }) =>
          accountId === row.accountId && type === row.type && no > row.eventsBefore,
      )
      .filter(({ fields }) => isWithin(narrowing, fields))
      .map(({ event: { no } }) => newDelivery(row, no, row.suspendedAt === null ? now : null, now));
  });
  await insertDeliveries(tx, rows);
}

/**
 * Queues the events that a subscription has missed, as it begins: the newest MOST_REPEATED of them.
 * @returns whether others are left out
 */
export async function queueMissed(
  tx: Tx,
  row: SubscriptionRow,
  { after, newest }: Start,
  now: number,
): Promise<boolean> {
  const wanted = { accountId: row.accountId, type: row.type, narrowing: narrowingOf(row) };
  const missed: number[] = [];
  for (let [position, hasMore] = [after, after < newest]; hasMore; ) {
    const page = await readEvents(tx, wanted, { after: position, upTo: newest, most: MOST_REPEATED });
    missed.push(...page.events.map(({ no }) => no));
    [position, hasMore] = [page.position, page.hasMore];
  }
  const taken = missed.slice(-MOST_REPEATED);
  // A millisecond apart, so that they are sent in order.
  await insertDeliveries(
    tx,
    taken.map((no, at) => newDelivery(row, no, now + at, now)),
  );
  return taken.length < missed.length;
}
