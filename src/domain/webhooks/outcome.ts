import { and, eq, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
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
  const { webhookDeliveries, webhooks } = tx.t;
  const { notBefore, ...attempt } = result;
  const tries = delivery.tries + 1;
  const isDone = attempt.reason === null;
  const nextAt = isDone || attempt.reason === "gone" ? null : nextAttempt({ tries, now, notBefore });
  const status = isDone ? "succeeded" : nextAt === null ? "failed" : "pending";
  const attempts = JSON.stringify([...attemptsOf(delivery), attempt].slice(-ATTEMPTS_KEPT));
  const isHeld = and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.lease, delivery.lease!));
  const written = await tx.q
    .update(webhookDeliveries)
    .set({ attempts, tries, status, nextAt, lease: null, leaseUntil: null })
    .where(isHeld)
    .returning({ id: webhookDeliveries.id });
  if (written.length === 0) return;
  const [after] = await tx.q
    .update(webhooks)
    .set(isDone ? { lastSuccessAt: now, failingSince: null } : failureOf(tx, attempt))
    .where(eq(webhooks.id, webhook.id))
    .returning();
  if (!after || isDone) return;
  if (attempt.reason === "gone") await disableWebhook(tx, after, "gone", now);
  else if (now - after.failingSince! >= FAILING_ENDS) await disableWebhook(tx, after, "failing", now);
}

function failureOf({ t: { webhooks } }: Pick<Reader, "t">, { at, status, reason }: Attempt) {
  return {
    failingSince: sql`coalesce(${webhooks.failingSince}, ${at})`,
    lastFailureAt: at,
    lastFailureStatus: status,
    lastFailureReason: reason,
  };
}

/** The attempts of a delivery, oldest first. */
export function attemptsOf({ attempts }: Pick<DeliveryRow, "attempts">): Attempt[] {
  return JSON.parse(attempts);
}
