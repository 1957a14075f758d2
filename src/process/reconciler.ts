import type { PaymentDeps } from "../domain/payments/orders/deps.ts";
import type { Payments } from "../domain/payments/payments.ts";
import { reconcilePayments } from "../domain/payments/reconcile.ts";
import { MINUTE } from "../platform/clock.ts";
import { startRecurring } from "./scheduler/recurring.ts";

/**
 * Reconciles every payment whose outcome is open. Every minute, one of all processes does so. Each process also does
 * so when it starts, so that payments of a crashed process do not wait for the next minute.
 * @returns stop, which waits for the run under way
 */
export function startReconciler(payments: Payments, deps: PaymentDeps, node?: string): () => Promise<void> {
  const failed = (err: unknown) => deps.log.error({ err }, "payments could not be reconciled; retrying in a minute");
  const work = () => reconcilePayments(payments, deps);
  const first = work().catch(failed);
  const after = async () => {
    await first;
    await work();
  };
  const stop = startRecurring(deps.db, {
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
