import { MINUTE } from "./clock.ts";
import type { PaymentParts } from "./payments/open.ts";
import type { Payments } from "./payments/payments.ts";
import { reconcilePayments } from "./payments/reconcile.ts";

/**
 * Looks at the start and every minute after every payment whose fate is open; any number of processes may.
 * @returns stop, which waits for what is in hand
 */
export function startReconciler(payments: Payments, parts: PaymentParts): () => Promise<void> {
  let running: Promise<void> | null = null;
  const round = () => {
    // A round that takes long, because the chain is slow, is the next one too.
    running ??= reconcilePayments(payments, parts)
      .catch((err) => parts.log.error({ err }, "payments could not be reconciled; they are tried again in a minute"))
      .finally(() => {
        running = null;
      });
  };
  round();
  const timer = setInterval(round, MINUTE).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
