import { and, asc, eq, gte, inArray, isNull, lt, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { isPerson } from "../../platform/principal.ts";
import { EVENTS_KEPT, type EventRow, newestEventOf } from "../events/events.ts";
import { recordEvents } from "../events/record.ts";
import { EVENT_TYPES, type EventType } from "../events/types.ts";

export type DeliveryRow = Schema["webhookDeliveries"]["$inferSelect"];

type Webhook = Pick<Schema["webhooks"]["$inferSelect"], "id" | "accountId" | "maker" | "url" | "types">;

/** Whether a webhook is told of events of a type. */
export function isToldOf({ types, maker }: Pick<Webhook, "types" | "maker">, type: string): boolean {
  if (type === "webhook.ping") return false;
  if (Object.hasOwn(EVENT_TYPES, type) && EVENT_TYPES[type as EventType].isPrivate && !isPerson(maker)) return false;
  return types === null || types.split(" ").includes(type);
}

/** Queues a delivery of each event to each webhook that is told of it. A consumer of `relayEvents`. */
export async function queueDeliveries(tx: Tx, events: readonly EventRow[], now: number): Promise<void> {
  if (events.length === 0) return;
  const { webhooks } = tx.t;
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const listening = await tx.q
    .select()
    .from(webhooks)
    .where(and(inArray(webhooks.accountId, accounts), inArray(webhooks.status, ["active", "paused"])));
  const rows = listening.flatMap((webhook) =>
    events
      .filter(({ accountId, no }) => accountId === webhook.accountId && no > webhook.eventsBefore)
      .filter(({ type }) => isToldOf(webhook, type))
      .map(({ no }) => newDelivery(webhook, no, webhook.status === "active" ? now : null, now)),
  );
  await insertDeliveries(tx, rows);
}

/** A delivery of an event. @param nextAt real time of its first attempt; null: it is held */
export function newDelivery(
  { id, accountId, url }: Pick<Webhook, "id" | "accountId" | "url">,
  eventNo: number,
  nextAt: number | null,
  now: number,
) {
  const { host } = new URL(url);
  const none = { status: "pending", attempts: "[]", tries: 0 } as const;
  return { targetId: id, accountId, host, eventNo, ...none, nextAt, createdAt: now };
}

/** Records a test message, and queues it for one webhook. */
export async function queuePing(tx: Tx, webhook: Webhook, now: number): Promise<void> {
  const { id, accountId } = webhook;
  await recordEvents(tx, accountId, [{ type: "webhook.ping", data: { webhook_id: id } }], now);
  await insertDeliveries(tx, [newDelivery(webhook, await newestEventOf(tx, accountId), now, now)]);
}

/** The `eventNo` of a delivery about a task. Its `targetId` is a push configuration, which has this one delivery. */
export const TASK_STATE = 0;

/** Queues what push configurations are told: the states of their tasks. It replaces what they were to be told before. */
export async function queueTaskStates(
  tx: Tx,
  configs: readonly Pick<Webhook, "id" | "accountId" | "url">[],
  now: number,
): Promise<void> {
  const rows = configs.map((config) => newDelivery(config, TASK_STATE, now, now));
  // A delivery about a task is as old as the change.
  await deliverAgain(tx, rows, { createdAt: sql`excluded.created_at` });
}

/** Deletes the deliveries of push configurations or subscriptions. */
export async function deleteDeliveries(tx: Tx, targetIds: readonly string[]): Promise<void> {
  const { webhookDeliveries } = tx.t;
  if (targetIds.length > 0)
    await tx.q.delete(webhookDeliveries).where(inArray(webhookDeliveries.targetId, [...targetIds]));
}

/** Rows of one statement: SQLite takes at most 32,766 parameters. */
const ROWS = 1_000;

/** Queues deliveries; one that is there stays as it is. */
export async function insertDeliveries(tx: Tx, rows: readonly ReturnType<typeof newDelivery>[]): Promise<void> {
  const { webhookDeliveries } = tx.t;
  for (let first = 0; first < rows.length; first += ROWS)
    await tx.q
      .insert(webhookDeliveries)
      .values(rows.slice(first, first + ROWS))
      .onConflictDoNothing();
}

/** Events that one call repeats at most. */
export const MOST_REPEATED = 1_000;

/**
 * Delivers events to a webhook once more, in order, whether they have arrived or not. Waiting deliveries are sent at once.
 * @returns how many
 */
export async function repeatDeliveries(
  tx: Tx,
  webhook: Webhook,
  which: { readonly no: number } | { readonly since: number },
  now: number,
): Promise<number> {
  const { events } = tx.t;
  const isWanted = "no" in which ? eq(events.no, which.no) : gte(events.at, which.since);
  const types = Object.keys(EVENT_TYPES).filter((type) => isToldOf(webhook, type));
  const told = await tx.q
    .select({ no: events.no })
    .from(events)
    .where(and(eq(events.accountId, webhook.accountId), isWanted, inArray(events.type, types)))
    .orderBy(asc(events.no))
    .limit(MOST_REPEATED);
  // A millisecond apart, so that they are sent in order.
  const rows = told.map(({ no }, at) => newDelivery(webhook, no, now + at, now));
  await deliverAgain(tx, rows);
  return rows.length;
}

/**
 * Queues deliveries. Deliveries that exist already are queued again, and the outcome of an attempt under way is not recorded.
 */
async function deliverAgain(
  tx: Tx,
  rows: readonly ReturnType<typeof newDelivery>[],
  more: { createdAt?: SQL } = {},
): Promise<void> {
  const { webhookDeliveries } = tx.t;
  for (let first = 0; first < rows.length; first += ROWS) {
    const again = { status: sql`excluded.status`, tries: sql`0`, nextAt: sql`excluded.next_at` };
    await tx.q
      .insert(webhookDeliveries)
      .values(rows.slice(first, first + ROWS))
      .onConflictDoUpdate({
        target: [webhookDeliveries.targetId, webhookDeliveries.eventNo],
        set: { ...again, ...more, lease: sql`NULL`, leaseUntil: sql`NULL` },
      });
  }
}

/** Keeps the deliveries that wait for a webhook that is paused, or a subscription that is suspended. */
export async function holdDeliveries(tx: Tx, webhookId: string): Promise<void> {
  await schedule(tx, webhookId, null);
}

/** Sends the deliveries that wait for a webhook or subscription that is active again. */
export async function releaseDeliveries(tx: Tx, webhookId: string, now: number): Promise<void> {
  await schedule(tx, webhookId, now);
}

/** Counts the deliveries that wait for a webhook whose URL has changed for its new host. */
export async function moveDeliveries(tx: Tx, webhookId: string, url: string): Promise<void> {
  const { webhookDeliveries } = tx.t;
  const isPending = and(eq(webhookDeliveries.targetId, webhookId), eq(webhookDeliveries.status, "pending"));
  await tx.q
    .update(webhookDeliveries)
    .set({ host: new URL(url).host })
    .where(isPending);
}

async function schedule(tx: Tx, webhookId: string, nextAt: number | null): Promise<void> {
  const { webhookDeliveries } = tx.t;
  const isPending = and(eq(webhookDeliveries.targetId, webhookId), eq(webhookDeliveries.status, "pending"));
  const isHeld = nextAt === null ? isPending : and(isPending, isNull(webhookDeliveries.nextAt));
  await tx.q.update(webhookDeliveries).set({ nextAt }).where(isHeld);
}

export interface ClaimOptions {
  readonly lease: string;
  readonly leaseUntil: number;
  readonly now: number;
  /** How many more deliveries may be under way to the host and for the account. */
  readonly roomOf: (delivery: { host: string; accountId: string }) => number;
  readonly limit: number;
  /** Whether a host has not proved to be fast, and how many more may be sent to all of these. */
  readonly isUnproven: (host: string) => boolean;
  readonly leftForUnproven: number;
  /** Hosts that have proved to be fast and have room. */
  readonly provenHosts: readonly string[];
  /** Hosts and accounts without room. */
  readonly fullHosts: readonly string[];
  readonly fullAccounts: readonly string[];
}

/** Rows among which a claim chooses. */
const LOOKED_AT = 128;

/** Leases deliveries that are due, the earliest first, where there is room. Only one of several processes gets each. */
export async function claimDeliveries(db: Engine, options: ClaimOptions): Promise<DeliveryRow[]> {
  const { lease, leaseUntil, now, provenHosts } = options;
  const { webhookDeliveries: deliveries } = db.t;
  const isFree = and(lte(deliveries.nextAt, now), or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, now)));
  const claim = newClaim(options);
  const due = options.leftForUnproven > 0 ? await readDue(db, options, isFree) : null;
  due?.forEach(claim.add);
  // Deliveries to hosts that hang wait longest and so come first. Deliveries to proven hosts are found behind any number of
  // them.
  const mayHideMore = due === null || due.length === LOOKED_AT;
  if (mayHideMore && !claim.isFull() && provenHosts.length > 0)
    (await readDue(db, options, and(isFree, inArray(deliveries.host, [...provenHosts])))).forEach(claim.add);
  const ids = claim.ids();
  if (ids.length === 0) return [];
  const claimed = await db.tx(({ q, t, among }) =>
    q
      .update(t.webhookDeliveries)
      .set({ lease, leaseUntil })
      .where(and(among(t.webhookDeliveries.id, ids), isFree))
      .returning(),
  );
  return claimed.sort((a, b) => a.nextAt! - b.nextAt!);
}

interface DueDelivery {
  readonly id: number;
  readonly host: string;
  readonly accountId: string;
}

/** The earliest deliveries for which there may be room. */
async function readDue(
  { q, t: { webhookDeliveries: deliveries } }: Engine,
  { fullHosts, fullAccounts }: ClaimOptions,
  isWanted: SQL | undefined,
): Promise<DueDelivery[]> {
  const hasRoom = and(
    fullHosts.length === 0 ? undefined : notInArray(deliveries.host, [...fullHosts]),
    fullAccounts.length === 0 ? undefined : notInArray(deliveries.accountId, [...fullAccounts]),
  );
  return q
    .select({ id: deliveries.id, host: deliveries.host, accountId: deliveries.accountId })
    .from(deliveries)
    .where(and(isWanted, hasRoom))
    .orderBy(asc(deliveries.nextAt))
    .limit(LOOKED_AT);
}

/** Chooses deliveries as long as there is room for them. */
function newClaim({ limit, roomOf, isUnproven, leftForUnproven }: ClaimOptions) {
  const taken = new Map<string, number>();
  const ids = new Set<number>();
  let left = leftForUnproven;
  return {
    ids: () => [...ids],
    isFull: () => ids.size >= limit,
    add(one: DueDelivery): void {
      const [ofHost, ofAccount] = [taken.get(one.host) ?? 0, taken.get(one.accountId) ?? 0];
      if (ids.size >= limit || ids.has(one.id) || Math.max(ofHost, ofAccount) >= roomOf(one)) return;
      if (isUnproven(one.host) && left-- <= 0) return;
      taken.set(one.host, ofHost + 1).set(one.accountId, ofAccount + 1);
      ids.add(one.id);
    },
  };
}

/** Gives a claimed delivery back. @param nextAt when it is to be made */
export async function releaseDelivery(tx: Tx, { id, lease, nextAt: due }: DeliveryRow, nextAt = due): Promise<void> {
  const { webhookDeliveries } = tx.t;
  const isHeld = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.lease, lease!));
  await tx.q.update(webhookDeliveries).set({ nextAt, lease: null, leaseUntil: null }).where(isHeld);
}

/** Deletes deliveries as old as the events that are deleted. */
export async function purgeDeliveries(db: Engine, now: number): Promise<void> {
  const { webhookDeliveries } = db.t;
  await db.tx(
    async ({ q }) => void (await q.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, now - EVENTS_KEPT))),
  );
}
