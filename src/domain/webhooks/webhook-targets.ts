import { and, eq, inArray, sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { iso } from "../../platform/clock.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { type EventRow, eventId } from "../events/events.ts";
import type { Attempt } from "./attempt.ts";
import { type DeliveryRow, TASK_STATE } from "./queue.ts";
import { FAILING_ENDS } from "./schedule.ts";
import { signatureHeaders } from "./secret.ts";
import type { DeliveryTarget, FindTargets } from "./target.ts";
import { disableWebhook, secretsOf, type WebhookRow } from "./webhooks.ts";

/** Webhooks as targets: an event in the body of Standard Webhooks 1.0, signed with the secrets of the webhook. */
export function webhookTargets(box: SecretBox): FindTargets {
  return async (db, deliveries) => {
    const told = deliveries.filter(({ eventNo }) => eventNo !== TASK_STATE);
    if (told.length === 0) return new Map();
    const { webhooks, events } = await load(db, told);
    const found = told.flatMap(({ id, targetId, accountId, eventNo }) => {
      const [webhook, event] = [webhooks.get(targetId), events.get(keyOf(accountId, eventNo))];
      return webhook && event ? [[id, targetOf(webhook, event, box)] as const] : [];
    });
    return new Map(found);
  };
}

async function load({ q, t }: Engine, deliveries: readonly DeliveryRow[]) {
  const ids = [...new Set(deliveries.map(({ targetId }) => targetId))];
  const accounts = [...new Set(deliveries.map(({ accountId }) => accountId))];
  const numbers = [...new Set(deliveries.map(({ eventNo }) => eventNo))];
  const [webhooks, events] = await Promise.all([
    q.select().from(t.webhooks).where(inArray(t.webhooks.id, ids)),
    q
      .select()
      .from(t.events)
      .where(and(inArray(t.events.accountId, accounts), inArray(t.events.no, numbers))),
  ]);
  return {
    webhooks: new Map(webhooks.map((row) => [row.id, row])),
    events: new Map(events.map((row) => [keyOf(row.accountId, row.no), row])),
  };
}

function keyOf(accountId: string, no: number): string {
  return `${accountId} ${no}`;
}

function targetOf(webhook: WebhookRow, event: EventRow, box: SecretBox): DeliveryTarget {
  const { id, maker, url } = webhook;
  return {
    ...{ id, maker, url },
    async messageAt(at) {
      const message = { id: eventId(event.accountId, event.no), at, body: bodyOf(event) };
      const signature = signatureHeaders(message, secretsOf(box, webhook, at));
      return { headers: { "Content-Type": "application/json", ...signature }, body: message.body };
    },
    note: (tx, attempt, now) => noteAttempt(tx, webhook, attempt, now),
    end: (tx, now) => disableWebhook(tx, webhook, "credential_ended", now),
  };
}

/** The body of Standard Webhooks 1.0. */
export function bodyOf({ type, at, data }: Pick<EventRow, "type" | "at" | "data">): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${iso(at)}","data":${data}}`;
}

async function noteAttempt(tx: Tx, webhook: WebhookRow, attempt: Attempt, now: number): Promise<void> {
  if (attempt.reason === null) {
    await noteSuccess(tx).execute({ id: webhook.id, now });
    return;
  }
  const after = await noteFailure(tx, webhook, attempt);
  if (!after) return;
  if (attempt.reason === "gone") await disableWebhook(tx, after, "gone", now);
  else if (now - after.failingSince! >= FAILING_ENDS) await disableWebhook(tx, after, "failing", now);
}

const noteSuccess = (tx: Tx) =>
  tx.prepared("webhook_succeeded", ({ q, t: { webhooks } }) =>
    q
      .update(webhooks)
      .set({ lastSuccessAt: sql`${sql.placeholder("now")}`, failingSince: null })
      .where(eq(webhooks.id, sql.placeholder("id")))
      .returning({ id: webhooks.id }),
  );

/** @returns the webhook after it; null when it was deleted */
async function noteFailure(tx: Tx, { id }: WebhookRow, { at, status, reason }: Attempt): Promise<WebhookRow | null> {
  const { webhooks } = tx.t;
  const failingSince = sql`coalesce(${webhooks.failingSince}, ${at})`;
  const [row] = await tx.q
    .update(webhooks)
    .set({ failingSince, lastFailureAt: at, lastFailureStatus: status, lastFailureReason: reason })
    .where(eq(webhooks.id, id))
    .returning();
  return row ?? null;
}
