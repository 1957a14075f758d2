import type { PaymentDeps } from "../domain/payments/orders/deps.ts";
import type { Payments } from "../domain/payments/payments.ts";
import { reconcilePayments } from "../domain/payments/reconcile.ts";
import { MINUTE } from "../platform/clock.ts";
import { startRecurring } from "../platform/scheduler/recurring.ts";

/**
 * Looks every minute after every payment whose fate is open: one of several processes does. At its start each of them
 * does, whoever has looked in this minute: what a process that died has left does not wait.
 * @returns stop, which waits for what is in hand
 */
export function startReconciler(payments: Payments, parts: PaymentDeps, node?: string): () => Promise<void> {
  const failed = (err: unknown) =>
    parts.log.error({ err }, "payments could not be reconciled; they are tried again in a minute");
  const work = () => reconcilePayments(payments, parts);
  const first = work().catch(failed);
  const after = async () => {
    await first;
    await work();
  };
  const stop = startRecurring(parts.db, {
    job: "reconcile",
    node,
    periodMs: MINUTE,
    firstMs: MINUTE,
    work: after,
    failed,
  });
  return async () => {
    await stop();
    await first;
  };
}
