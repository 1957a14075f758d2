import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { newId } from "../../platform/ids.ts";
import { creatorOf, type Principal } from "../../platform/principal.ts";
import { isMemberWith } from "../../platform/roles.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";
import { SIZES } from "../../platform/sizes.ts";
import { recordEvents } from "../events/record.ts";
import type { EventData, SubscribedType } from "../events/types.ts";
import { holdDeliveries, moveDeliveries, releaseDeliveries } from "./queue.ts";
import { newWebhookSecret } from "./secret.ts";
import { logWebhook } from "./security-log.ts";

export type WebhookRow = Schema["webhooks"]["$inferSelect"];

export const WEBHOOK_STATUSES = ["active", "paused", "disabled"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Whether a caller may change a webhook and see its whole URL: its maker, and at the website whoever may change keys. */
export function mayChange(principal: Principal, { maker }: WebhookRow): boolean {
  return creatorOf(principal) === maker || isMemberWith(principal, "keys");
}

/** How long the secret before a rotation goes on signing, in ms. */
export const SECRET_OVERLAP = 24 * 60 * 60 * 1_000;

/** @throws Refusal not_found */
export async function findWebhook(db: Reader, accountId: string, webhookId: string): Promise<WebhookRow> {
  const { webhooks } = db.t;
  const [row] = await db.q
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.accountId, accountId)));
  if (!row) throw new Refusal("not_found", "There is no webhook with this id. list_webhooks shows those there are.");
  return row;
}

/** @throws Refusal not_found when there is none, or it is another credential's */
export async function findOwnWebhook(db: Reader, principal: Principal, webhookId: string): Promise<WebhookRow> {
  const row = await findWebhook(db, principal.accountId, webhookId);
  if (mayChange(principal, row)) return row;
  const message =
    "This webhook was made by another credential. Only that one, or the person on the dashboard, changes it.";
  throw new Refusal("not_found", message);
}

/** The webhook that a maker has for a URL; null if none. */
export async function webhookAt(
  db: Reader,
  { accountId, maker, url }: { accountId: string; maker: string; url: string },
): Promise<WebhookRow | null> {
  const { webhooks } = db.t;
  const isIt = and(eq(webhooks.accountId, accountId), eq(webhooks.maker, maker), eq(webhooks.url, url));
  const [row] = await db.q.select().from(webhooks).where(isIt);
  return row ?? null;
}

/** A page of an account's webhooks, newest first, and whether there is more. */
export async function webhooksOf(db: Reader, accountId: string, page: { limit: number; offset: number }) {
  const { webhooks } = db.t;
  const rows = await db.q
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId))
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(page.limit + 1)
    .offset(page.offset);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/** What a caller may set. */
export interface WebhookFields {
  readonly url: string;
  /** Null: all. */
  readonly types: readonly SubscribedType[] | null;
  readonly description: string;
  readonly status: "active" | "paused";
}

/** A webhook, and its secret where it is new. */
export interface SavedWebhook {
  readonly row: WebhookRow;
  readonly secret: string | null;
}

/** @throws Refusal webhook_invalid when the account has as many as it may */
export async function createWebhook(
  tx: Tx,
  box: SecretBox,
  { accountId, maker, now, ...fields }: WebhookFields & { accountId: string; maker: string; now: number },
): Promise<SavedWebhook> {
  const { webhooks, accounts } = tx.t;
  // Locks the account, so that the second of two simultaneous calls counts the first.
  const [account] = await tx.q
    .update(accounts)
    .set({ events: sql`${accounts.events}` })
    .where(eq(accounts.id, accountId))
    .returning({ events: accounts.events });
  const existing = await webhookAt(tx, { accountId, maker, url: fields.url });
  if (existing) return { row: existing, secret: null };
  const [row] = await tx.q.select({ n: count() }).from(webhooks).where(eq(webhooks.accountId, accountId));
  if (row!.n >= SIZES.webhooksPerAccount) {
    const message = `The account has ${SIZES.webhooksPerAccount} webhooks, and that is the most. Delete one first.`;
    throw new Refusal("webhook_invalid", message, { reason: "too_many" });
  }
  const [id, secret] = [newId("wh"), newWebhookSecret()];
  const [created] = await tx.q
    .insert(webhooks)
    .values({
      ...columnsOf(fields),
      id,
      accountId,
      maker,
      sealedSecret: box.seal(secret, secretField(id)),
      createdAt: now,
      changedAt: now,
      eventsBefore: account!.events,
    })
    .returning();
  return { row: created!, secret };
}

/** The webhook of a call that changes one: by its id, or by its URL among the caller's webhooks; null for a new one. */
export async function webhookToChange(
  db: Reader,
  principal: Principal,
  { id, url }: { id: string | undefined; url: string | undefined },
): Promise<WebhookRow | null> {
  if (id !== undefined) return findOwnWebhook(db, principal, id);
  if (url === undefined) return null;
  return webhookAt(db, { accountId: principal.accountId, maker: creatorOf(principal), url });
}

/** What is to change; what is undefined stays. */
export type ChangedFields = { readonly [Name in keyof WebhookFields]?: WebhookFields[Name] | undefined };

/** Changes what is given. One that becomes active sends what waited while it was paused. */
export async function changeWebhook(
  tx: Tx,
  { id }: WebhookRow,
  changed: ChangedFields,
  now: number,
): Promise<WebhookRow> {
  const { webhooks } = tx.t;
  if (changed.status === "active") await releaseDeliveries(tx, id, now);
  if (changed.status === "paused") await holdDeliveries(tx, id);
  if (changed.url !== undefined) await moveDeliveries(tx, id, changed.url);
  const isFresh = changed.status === "active" ? { failingSince: null } : {};
  const columns = { ...columnsOf(changed), ...isFresh };
  if (Object.values(columns).some((value) => value !== undefined))
    await tx.q
      .update(webhooks)
      .set({ ...columns, changedAt: now })
      .where(eq(webhooks.id, id));
  const [row] = await tx.q.select().from(webhooks).where(eq(webhooks.id, id));
  return row!;
}

function columnsOf<Fields extends ChangedFields>({ types, ...rest }: Fields) {
  return { ...rest, ...(types === undefined ? {} : { types: types === null ? null : types.join(" ") }) };
}

/** Gives a webhook another secret; the one before goes on signing for SECRET_OVERLAP. */
export async function rotateSecret(tx: Tx, box: SecretBox, webhook: WebhookRow, now: number): Promise<SavedWebhook> {
  const { webhooks } = tx.t;
  const { id, sealedSecret } = webhook;
  const secret = newWebhookSecret();
  const previous = box.seal(box.open(sealedSecret, secretField(id)), previousSecretField(id));
  const [row] = await tx.q
    .update(webhooks)
    .set({
      sealedSecret: box.seal(secret, secretField(id)),
      sealedPreviousSecret: previous,
      previousUntil: now + SECRET_OVERLAP,
      changedAt: now,
    })
    .where(eq(webhooks.id, id))
    .returning();
  return { row: row!, secret };
}

/** The secrets that sign now, the newest first. @throws Unsealable */
export function secretsOf(box: SecretBox, webhook: WebhookRow, now: number): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousUntil } = webhook;
  const secrets = [box.open(sealedSecret, secretField(id))];
  if (sealedPreviousSecret !== null && previousUntil !== null && previousUntil > now)
    secrets.push(box.open(sealedPreviousSecret, previousSecretField(id)));
  return secrets;
}

function secretField(row: string): SealedField {
  return { table: "webhooks", row, column: "sealed_secret" };
}

function previousSecretField(row: string): SealedField {
  return { table: "webhooks", row, column: "sealed_previous_secret" };
}

/** Deletes a webhook with its deliveries; one that is under way still arrives. */
export async function deleteWebhook(tx: Tx, { id }: WebhookRow): Promise<void> {
  const { webhooks, webhookDeliveries } = tx.t;
  await tx.q.delete(webhookDeliveries).where(eq(webhookDeliveries.targetId, id));
  await tx.q.delete(webhooks).where(eq(webhooks.id, id));
}

/** @throws Refusal webhook_invalid */
export function refuseUnlessActive({ status }: WebhookRow): void {
  if (status === "active") return;
  const message = `The webhook is ${status}. Call save_webhook with status active first. Nothing was changed.`;
  throw new Refusal("webhook_invalid", message, { reason: status });
}

/** Ends the deliveries of a webhook that is of no use any more, and tells so by an event. */
export async function disableWebhook(
  tx: Tx,
  { id, accountId, url }: WebhookRow,
  reason: EventData["webhook.disabled"]["reason"],
  now: number,
): Promise<void> {
  const { webhooks, webhookDeliveries } = tx.t;
  const disabled = await tx.q
    .update(webhooks)
    .set({ status: "disabled" })
    .where(and(eq(webhooks.id, id), inArray(webhooks.status, ["active", "paused"])))
    .returning({ id: webhooks.id });
  if (disabled.length === 0) return;
  const isPending = and(eq(webhookDeliveries.targetId, id), eq(webhookDeliveries.status, "pending"));
  await tx.q
    .update(webhookDeliveries)
    .set({ status: "failed", nextAt: null, lease: null, leaseUntil: null })
    .where(isPending);
  await logWebhook(tx, "webhook_disabled", { id, accountId, url }, { now });
  const data = { webhook_id: id, origin: new URL(url).origin, reason };
  await recordEvents(tx, accountId, [{ type: "webhook.disabled", data }], now);
}
