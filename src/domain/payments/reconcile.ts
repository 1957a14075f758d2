import { checkOverdueOrders, expireOverdueOrders } from "./cards/overdue.ts";
import { CARD_METHODS } from "./find-method.ts";
import type { PaymentDeps } from "./orders/deps.ts";
import type { Payments } from "./payments.ts";

/**
 * One round over all money whose fate is open: direct payments on their chain, payment pages whose events never came. If one of
 * the two fails, the other is done all the same.
 * @throws the error of the first one that failed
 */
export async function reconcilePayments(payments: Payments, deps: PaymentDeps): Promise<void> {
  const rounds = await Promise.allSettled([payments.direct?.reconcile(), reconcileCards(payments, deps)]);
  for (const round of rounds) if (round.status === "rejected") throw round.reason;
}

async function reconcileCards(payments: Payments, deps: PaymentDeps): Promise<void> {
  for (const method of methodsOfClosedPages(payments)) await expireOverdueOrders(deps, method);
  await checkOverdueOrders({ ...deps, payments });
}

/** A sandbox whose payment pages were ours is gone once cards are taken in another way, or not at all. */
function methodsOfClosedPages({ cards }: Payments): string[] {
  return [...CARD_METHODS].flatMap(([id, { isSandbox }]) => (isSandbox && id !== cards?.method ? [id] : []));
}
