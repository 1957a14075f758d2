import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { placeholders } from "../../../db/placeholders.ts";
import type { Attempt, AttemptResult } from "./attempt.ts";
import type { DeliveryRow } from "./queue.ts";
import { nextAttempt } from "./schedule.ts";
import type { DeliveryTarget } from "./target.ts";

/** Attempts that are kept of a delivery, the newest ones. */
const ATTEMPTS_KEPT = 30;

/** Answers after which no other attempt is of use: the receiver is gone, and a body that is too large stays so (RFC 9110). */
const NEVER_AGAIN: readonly (number | null)[] = [410, 413];

/** An attempt that was made, and is to be written. */
export interface FinishedAttempt {
  readonly target: DeliveryTarget;
  readonly delivery: DeliveryRow;
  readonly result: AttemptResult;
}

/**
 * Writes the result of an attempt: the delivery's next attempt or its end, and the state of its target. A delivery that another
 * process has taken over, or that was deleted, stays as it is.
 */
export async function recordAttempt(tx: Tx, { target, delivery, result }: FinishedAttempt, now: number): Promise<void> {
  const { notBefore, ...attempt } = result;
  const tries = delivery.tries + 1;
  const isDone = attempt.reason === null;
  const nextAt = isDone || NEVER_AGAIN.includes(attempt.status) ? null : nextAttempt({ tries, now, notBefore });
  const status = isDone ? "succeeded" : nextAt === null ? "failed" : "pending";
  const attempts = JSON.stringify([...attemptsOf(delivery), attempt].slice(-ATTEMPTS_KEPT));
  const { id, lease } = delivery;
  const written = await updateDelivery(tx).execute({ id, lease, attempts, tries, status, nextAt });
  if (written.length > 0) await target.note(tx, attempt, now);
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

/** The attempts of a delivery, oldest first. */
export function attemptsOf({ attempts }: Pick<DeliveryRow, "attempts">): Attempt[] {
  return JSON.parse(attempts);
}
