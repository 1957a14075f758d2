import { createHash } from "node:crypto";
import { and, count, desc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { MINUTE } from "../../platform/clock.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";
import type { SubscribedType } from "../events/types.ts";
import { deleteDeliveries, releaseDeliveries } from "../webhooks/queue.ts";
import { type Narrowing, narrowingText } from "./narrowing.ts";
import { SUBSCRIPTION_TERMS } from "./terms.ts";

type Row = Schema["eventSubscriptions"]["$inferSelect"];

/** What a client of MCP is told of at an address. */
export type SubscriptionRow = Omit<Row, "type"> & { readonly type: SubscribedType };

/** What identifies a subscription. With another URL, type or narrowing it is another one. */
export interface SubscriptionKey {
  readonly accountId: string;
  /** Id of the key or grant. */
  readonly maker: string;
  readonly url: string;
  readonly type: SubscribedType;
  readonly narrowing: Narrowing;
}

/** The id of a subscription, which follows from what identifies it. Whoever knows it can do nothing by it. */
export function subscriptionIdOf({ maker, url, type, narrowing }: SubscriptionKey): string {
  const key = JSON.stringify([maker, url, type, narrowingText(narrowing)]);
  return `sub_${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}

/** Whether an id is a subscription's. */
export function isSubscriptionId(id: string): boolean {
  return id.startsWith("sub_");
}

/** A subscription that has not ended; null if there is none. */
export async function findSubscription(db: Reader, key: SubscriptionKey, now: number): Promise<SubscriptionRow | null> {
  const { eventSubscriptions: t } = db.t;
  const isIt = and(eq(t.id, subscriptionIdOf(key)), eq(t.accountId, key.accountId), gt(t.expiresAt, now));
  const [row] = await db.q.select().from(t).where(isIt);
  return (row as SubscriptionRow | undefined) ?? null;
}

/** Whether a maker has a subscription at a URL, which has proved then that it wants what the maker is told of. */
export async function hasAt(
  db: Reader,
  { maker, url }: Pick<SubscriptionKey, "maker" | "url">,
  now: number,
): Promise<boolean> {
  return (await urlsOf(db, maker, now)).includes(url);
}

/** Whether a maker has a subscription with the origin of this URL. */
export async function hasAtOrigin(
  db: Reader,
  { maker, url }: Pick<SubscriptionKey, "maker" | "url">,
  now: number,
): Promise<boolean> {
  const { origin } = new URL(url);
  return (await urlsOf(db, maker, now)).some((other) => new URL(other).origin === origin);
}

async function urlsOf({ q, t: { eventSubscriptions: t } }: Reader, maker: string, now: number): Promise<string[]> {
  const isLive = and(eq(t.maker, maker), gt(t.expiresAt, now));
  const rows = await q.select({ url: t.url }).from(t).where(isLive);
  return rows.map(({ url }) => url);
}

/** Whether a maker has as many subscriptions as it may. */
export async function hasAllItMay(
  { q, t: { eventSubscriptions: t } }: Reader,
  maker: string,
  now: number,
): Promise<boolean> {
  const [row] = await q
    .select({ n: count() })
    .from(t)
    .where(and(eq(t.maker, maker), gt(t.expiresAt, now)));
  return row!.n >= SUBSCRIPTION_TERMS.perCredential;
}

/**
 * Locks the account: the second of two simultaneous calls counts the first, and an event happens either before a subscription
 * begins or after.
 */
export async function lockEvents({ q, t: { accounts } }: Tx, accountId: string): Promise<void> {
  await q
    .update(accounts)
    .set({ events: sql`${accounts.events}` })
    .where(eq(accounts.id, accountId))
    .returning();
}

/** How long the secret before a rotation goes on signing, in ms. */
export const SECRET_OVERLAP = 5 * MINUTE;

interface Terms {
  readonly secret: string;
  readonly expiresAt: number;
  readonly now: number;
}

/** Begins a subscription. @param eventsBefore number of the account's newest event */
export async function createSubscription(
  tx: Tx,
  box: SecretBox,
  { narrowing, ...key }: SubscriptionKey,
  { secret, expiresAt, now, eventsBefore }: Terms & { readonly eventsBefore: number },
): Promise<SubscriptionRow> {
  const { eventSubscriptions: t } = tx.t;
  const id = subscriptionIdOf({ ...key, narrowing });
  // One that has expired may be there still.
  await deleteSubscriptions(tx, [id]);
  const sealedSecret = box.seal(secret, secretField(id));
  const values = {
    ...key,
    id,
    arguments: narrowingText(narrowing),
    sealedSecret,
    createdAt: now,
    expiresAt,
    eventsBefore,
  };
  const [row] = await tx.q.insert(t).values(values).returning();
  return row as SubscriptionRow;
}

/** Lets a subscription go on until another time, by another secret if it is one. What was held because its receiver was gone is sent. */
export async function renewSubscription(
  tx: Tx,
  box: SecretBox,
  row: SubscriptionRow,
  { secret, expiresAt, now }: Terms,
): Promise<SubscriptionRow> {
  const { eventSubscriptions: t } = tx.t;
  const { id, sealedSecret, suspendedAt } = row;
  if (suspendedAt !== null) await releaseDeliveries(tx, id, now);
  const known = box.open(sealedSecret, secretField(id));
  const rotated = {
    sealedSecret: box.seal(secret, secretField(id)),
    sealedPreviousSecret: box.seal(known, previousSecretField(id)),
    previousUntil: now + SECRET_OVERLAP,
  };
  const [renewed] = await tx.q
    .update(t)
    .set({ expiresAt, suspendedAt: null, failingSince: null, ...(secret === known ? {} : rotated) })
    .where(eq(t.id, id))
    .returning();
  return renewed as SubscriptionRow;
}

/** The secrets that sign now, the newest first. @throws Unsealable */
export function secretsOf(box: SecretBox, row: SubscriptionRow, now: number): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousUntil } = row;
  const secrets = [box.open(sealedSecret, secretField(id))];
  if (sealedPreviousSecret !== null && previousUntil !== null && previousUntil > now)
    secrets.push(box.open(sealedPreviousSecret, previousSecretField(id)));
  return secrets;
}

function secretField(row: string): SealedField {
  return { table: "event_subscriptions", row, column: "sealed_secret" };
}

function previousSecretField(row: string): SealedField {
  return { table: "event_subscriptions", row, column: "sealed_previous_secret" };
}

/** Ends subscriptions, with what waits for them. */
export async function deleteSubscriptions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { eventSubscriptions: t } = tx.t;
  await deleteDeliveries(tx, ids);
  await tx.q.delete(t).where(inArray(t.id, [...ids]));
}

/** An account's subscriptions that have not ended, newest first. */
export async function subscriptionsOfAccount(
  { q, t: { eventSubscriptions: t } }: Reader,
  accountId: string,
  now: number,
): Promise<SubscriptionRow[]> {
  const rows = await q
    .select()
    .from(t)
    .where(and(eq(t.accountId, accountId), gt(t.expiresAt, now)))
    .orderBy(desc(t.createdAt), desc(t.id));
  return rows as SubscriptionRow[];
}

/** Deletes a subscription, as a person of the account may. @returns it; null when the account has no such one */
export async function deleteSubscriptionOf(tx: Tx, accountId: string, id: string): Promise<SubscriptionRow | null> {
  const { eventSubscriptions: t } = tx.t;
  const [row] = await tx.q
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.accountId, accountId)));
  if (!row) return null;
  await deleteSubscriptions(tx, [id]);
  return row as SubscriptionRow;
}

/** Subscriptions that one transaction deletes at most. */
const BATCH = 500;

/** Deletes the subscriptions that have ended because nobody asked for them again. */
export async function purgeEventSubscriptions(db: Engine, now: number): Promise<void> {
  const { eventSubscriptions: t } = db.t;
  for (let deleted = BATCH; deleted === BATCH; ) {
    const rows = await db.q.select({ id: t.id }).from(t).where(lte(t.expiresAt, now)).limit(BATCH);
    const ids = rows.map(({ id }) => id);
    await db.tx((tx) => deleteSubscriptions(tx, ids));
    deleted = ids.length;
  }
}
