import { checkOverdueOrders } from "./cards/overdue.ts";
import type { PaymentDeps } from "./orders/deps.ts";
import type { Payments } from "./payments.ts";

/**
 * One round over all money whose fate is open: direct payments on their chain, payment pages whose events never came.
 * Where the one cannot be looked at, the other is all the same.
 * @throws what kept the first of them
 */
export async function reconcilePayments(payments: Payments, parts: PaymentDeps): Promise<void> {
  const rounds = await Promise.allSettled([payments.direct?.reconcile(), checkOverdueOrders({ ...parts, payments })]);
  for (const round of rounds) if (round.status === "rejected") throw round.reason;
}
