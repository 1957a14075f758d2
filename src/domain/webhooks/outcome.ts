import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import type { Attempt, AttemptResult } from "./attempt.ts";
import type { DeliveryRow } from "./queue.ts";
import { FAILING_ENDS, nextAttempt } from "./schedule.ts";
import { disableWebhook, type WebhookRow } from "./webhooks.ts";

/** Attempts that are kept of a delivery, the newest ones. */
const ATTEMPTS_KEPT = 30;

/**
 * Writes what an attempt came to: the delivery's next attempt or its end, and how its webhook is doing. A delivery that
 * another process has taken over, or that was deleted, stays as it is.
 */
export async function recordAttempt(
  tx: Tx,
  { webhook, delivery, result }: { webhook: WebhookRow; delivery: DeliveryRow; result: AttemptResult },
  now: number,
): Promise<void> {
  const { notBefore, ...attempt } = result;
  const tries = delivery.tries + 1;
  const isDone = attempt.reason === null;
  const nextAt = isDone || attempt.reason === "gone" ? null : nextAttempt({ tries, now, notBefore });
  const status = isDone ? "succeeded" : nextAt === null ? "failed" : "pending";
  const attempts = JSON.stringify([...attemptsOf(delivery), attempt].slice(-ATTEMPTS_KEPT));
  const { id, lease } = delivery;
  const written = await updateDelivery(tx).execute({ id, lease, attempts, tries, status, nextAt });
  if (written.length === 0) return;
  if (isDone) {
    await noteSuccess(tx).execute({ id: webhook.id, now });
    return;
  }
  const after = await noteFailure(tx, webhook, attempt);
  if (!after) return;
  if (attempt.reason === "gone") await disableWebhook(tx, after, "gone", now);
  else if (now - after.failingSince! >= FAILING_ENDS) await disableWebhook(tx, after, "failing", now);
}

const updateDelivery = (tx: Tx) =>
  tx.prepared("update_webhook_delivery", ({ q, t: { webhookDeliveries } }) => {
    const { attempts, tries, status, nextAt } = placeholders(webhookDeliveries);
    const { placeholder } = sql;
    const isHeld = and(eq(webhookDeliveries.id, placeholder("id")), eq(webhookDeliveries.lease, placeholder("lease")));
    return q
      .update(webhookDeliveries)
      .set({ attempts, tries, status, nextAt, lease: null, leaseUntil: null })
      .where(isHeld)
      .returning({ id: webhookDeliveries.id });
  });

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

/** The attempts of a delivery, oldest first. */
export function attemptsOf({ attempts }: Pick<DeliveryRow, "attempts">): Attempt[] {
  return JSON.parse(attempts);
}
