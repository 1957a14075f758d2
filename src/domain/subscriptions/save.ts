import type { Tx } from "../../../db/engine.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { newestEventOf } from "../events/events.ts";
import { startAt, toldUntil } from "./positions.ts";
import { queueMissed } from "./queue.ts";
import {
  createSubscription,
  findSubscription,
  hasAllItMay,
  lockEvents,
  renewSubscription,
  type SubscriptionKey,
  type SubscriptionRow,
} from "./subscriptions.ts";

/** What a client asks for besides what identifies a subscription. */
export interface SubscriptionWish {
  readonly secret: string;
  readonly expiresAt: number;
  /** Up to where the client knows events; null: it begins now. */
  readonly position: number | null;
  /** Real time; older events are not wanted. */
  readonly notBefore?: number | undefined;
  readonly now: number;
}

export interface SavedSubscription {
  readonly row: SubscriptionRow;
  /** As it was; null: it is new. */
  readonly before: SubscriptionRow | null;
  /** Up to where its receiver is told. */
  readonly position: number;
  /** Events that the client asked for are left out. */
  readonly isTruncated: boolean;
}

/**
 * Begins a subscription, with the events that its client has missed, or lets one go on. One that goes on is told of each event
 * whatever the client says that it knows.
 * @returns null when the maker has as many as it may
 */
export async function saveSubscription(
  tx: Tx,
  box: SecretBox,
  key: SubscriptionKey,
  { position, notBefore, ...terms }: SubscriptionWish,
): Promise<SavedSubscription | null> {
  const { accountId, maker } = key;
  await lockEvents(tx, accountId);
  const before = await findSubscription(tx, key, terms.now);
  if (before) {
    const row = await renewSubscription(tx, box, before, terms);
    return { row, before, position: await positionOf(tx, row), isTruncated: false };
  }
  if (await hasAllItMay(tx, maker, terms.now)) return null;
  const start = await startAt(tx, accountId, { position, notBefore });
  const row = await createSubscription(tx, box, key, { ...terms, eventsBefore: start.newest });
  const isCut = await queueMissed(tx, row, start, terms.now);
  return { row, before, position: await positionOf(tx, row), isTruncated: start.isTruncated || isCut };
}

async function positionOf(tx: Tx, row: SubscriptionRow): Promise<number> {
  return (await toldUntil(tx, [row])).get(row.id) ?? newestEventOf(tx, row.accountId);
}
