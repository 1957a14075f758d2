import { and, eq, inArray, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { EventRow } from "../events/events.ts";
import type { Attempt } from "../webhooks/attempt.ts";
import { type DeliveryRow, holdDeliveries } from "../webhooks/queue.ts";
import { toldUntil } from "./positions.ts";
import { logSubscription } from "./security-log.ts";
import { deleteSubscriptions, isSubscriptionId, type SubscriptionRow } from "./subscriptions.ts";

/** What is to be delivered by a subscription. */
export interface SubscribedDelivery {
  readonly id: DeliveryRow["id"];
  readonly subscription: SubscriptionRow;
  readonly event: EventRow;
  /** How far the receiver has been told once this has arrived. */
  readonly position: number;
}

/** What deliveries are about, of those that are for subscriptions. Nothing is found of one that has ended. */
export async function subscribedDeliveries(
  db: Engine,
  deliveries: readonly DeliveryRow[],
): Promise<readonly SubscribedDelivery[]> {
  const told = deliveries.filter(({ targetId }) => isSubscriptionId(targetId));
  if (told.length === 0) return [];
  const { eventSubscriptions, events } = db.t;
  const ids = [...new Set(told.map(({ targetId }) => targetId))];
  const accounts = [...new Set(told.map(({ accountId }) => accountId))];
  const numbers = [...new Set(told.map(({ eventNo }) => eventNo))];
  const [subscriptions, rows] = await Promise.all([
    db.q.select().from(eventSubscriptions).where(inArray(eventSubscriptions.id, ids)),
    db.q
      .select()
      .from(events)
      .where(and(inArray(events.accountId, accounts), inArray(events.no, numbers))),
  ]);
  const until = await toldUntil(db, subscriptions);
  return told.flatMap(({ id, targetId, accountId, eventNo }) => {
    const subscription = subscriptions.find((row) => row.id === targetId) as SubscriptionRow | undefined;
    const event = rows.find((row) => row.accountId === accountId && row.no === eventNo);
    if (!subscription || !event) return [];
    // Its own delivery waits, too.
    const before = until.get(targetId) ?? eventNo;
    return [{ id, subscription, event, position: before < eventNo - 1 ? before : eventNo }];
  });
}

/** Takes note of an attempt. A receiver that says it is gone gets nothing more until its client asks for it again. */
export async function noteSubscribedAttempt(
  tx: Tx,
  { id }: SubscriptionRow,
  { at, reason }: Attempt,
  now: number,
): Promise<void> {
  const { eventSubscriptions: t } = tx.t;
  const failed = { failingSince: sql`coalesce(${t.failingSince}, ${at})`, lastFailureReason: reason };
  const gone = reason === "gone" ? { suspendedAt: now } : {};
  const changed = reason === null ? { lastSuccessAt: now, failingSince: null } : { ...failed, ...gone };
  await tx.q.update(t).set(changed).where(eq(t.id, id));
  if (reason === "gone") await holdDeliveries(tx, id);
}

/** Ends a subscription whose maker may not hear it any more. */
export async function endSubscription(tx: Tx, row: SubscriptionRow, now: number): Promise<void> {
  await deleteSubscriptions(tx, [row.id]);
  await logSubscription(tx, "subscription_ended", row, { now });
}
