import { and, asc, eq, gt, inArray, isNotNull, lt, lte, max, min } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { type EventRow, newestEventOf } from "../events/events.ts";
import type { SubscribedType } from "../events/types.ts";
import { fieldsOf, isWithin, type Narrowing } from "./narrowing.ts";

// A position is the number of an event of the account: whoever is there knows of it, and of all before it.

/** The events that a subscription is about. */
export interface Wanted {
  readonly accountId: string;
  readonly type: SubscribedType;
  readonly narrowing: Narrowing;
}

/** Where reading begins. */
export interface Start {
  readonly after: number;
  /** The newest event of the account. */
  readonly newest: number;
  /** Events between the position that was asked for and this one are left out. */
  readonly isTruncated: boolean;
}

/**
 * Where to begin for somebody who was at a position. Events that are deleted, or older than wanted, are left out. A position
 * that the account has not reached yet is from before a backup was restored.
 * @param position null: now
 */
export async function startAt(
  db: Reader,
  accountId: string,
  { position, notBefore }: { readonly position: number | null; readonly notBefore?: number | undefined },
): Promise<Start> {
  const { events } = db.t;
  const newest = await newestEventOf(db, accountId);
  if (position === null) return { after: newest, newest, isTruncated: false };
  if (position > newest) return { after: newest, newest, isTruncated: true };
  const isOwn = eq(events.accountId, accountId);
  const [kept] = await db.q
    .select({ oldest: min(events.no) })
    .from(events)
    .where(isOwn);
  const [old] =
    notBefore === undefined
      ? []
      : await db.q
          .select({ no: max(events.no) })
          .from(events)
          .where(and(isOwn, lt(events.at, notBefore)));
  const after = Math.max(position, (kept?.oldest ?? newest + 1) - 1, old?.no ?? 0);
  return { after, newest, isTruncated: after > position };
}

/** Events that one query reads. */
const READ_AT_ONCE = 200;

export interface EventPage {
  readonly events: readonly EventRow[];
  /** Up to where the events were looked at. */
  readonly position: number;
  readonly hasMore: boolean;
}

/** Some of the wanted events after one position and up to another, in order. There may be none, and more follow. */
export async function readEvents(
  { q, t: { events } }: Reader,
  { accountId, type, narrowing }: Wanted,
  { after, upTo, most }: { readonly after: number; readonly upTo: number; readonly most: number },
): Promise<EventPage> {
  const isBetween = and(gt(events.no, after), lte(events.no, upTo));
  const rows = await q
    .select()
    .from(events)
    .where(and(eq(events.accountId, accountId), eq(events.type, type), isBetween))
    .orderBy(asc(events.no))
    .limit(READ_AT_ONCE);
  const wanted = rows.filter(({ data }) => isWithin(narrowing, fieldsOf(data)));
  const taken = wanted.slice(0, most);
  if (taken.length < wanted.length) return { events: taken, position: taken.at(-1)!.no, hasMore: true };
  if (rows.length < READ_AT_ONCE) return { events: taken, position: upTo, hasMore: false };
  return { events: taken, position: rows.at(-1)!.no, hasMore: true };
}

/** The newest events of accounts, by their numbers. */
export async function newestEvents(
  { q, t: { accounts } }: Reader,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await q
    .select({ id: accounts.id, newest: accounts.events })
    .from(accounts)
    .where(inArray(accounts.id, [...accountIds]));
  return new Map(rows.map(({ id, newest }) => [id, newest]));
}

type Told = Pick<Schema["eventSubscriptions"]["$inferSelect"], "id" | "accountId" | "eventsBefore">;

/**
 * How far subscriptions are told: whatever is at or before this position has arrived, was given up, or is not theirs. Null:
 * nothing waits.
 */
export async function toldUntil(
  { q, t: { events, webhookDeliveries: deliveries } }: Reader,
  subscriptions: readonly Told[],
): Promise<ReadonlyMap<string, number | null>> {
  const ids = subscriptions.map(({ id }) => id);
  const accounts = [...new Set(subscriptions.map(({ accountId }) => accountId))];
  const waiting = await q
    .select({ id: deliveries.targetId, no: min(deliveries.eventNo) })
    .from(deliveries)
    .where(and(inArray(deliveries.targetId, ids), eq(deliveries.status, "pending")))
    .groupBy(deliveries.targetId);
  // What was not handed on yet may be theirs.
  const queued = await q
    .select({ id: events.accountId, no: min(events.no) })
    .from(events)
    .where(and(inArray(events.accountId, accounts), isNotNull(events.queuedAt)))
    .groupBy(events.accountId);
  const [firstWaiting, firstQueued] = [firstOf(waiting), firstOf(queued)];
  return new Map(
    subscriptions.map(({ id, accountId, eventsBefore }) => {
      const unread = firstQueued.get(accountId);
      const numbers = [firstWaiting.get(id), unread && Math.max(unread, eventsBefore + 1)].flatMap((no) => no ?? []);
      return [id, numbers.length === 0 ? null : Math.min(...numbers) - 1];
    }),
  );
}

function firstOf(rows: readonly { readonly id: string; readonly no: number | null }[]): Map<string, number> {
  return new Map(rows.flatMap(({ id, no }) => (no === null ? [] : [[id, no]])));
}
