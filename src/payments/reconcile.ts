import type { PaymentParts } from "./open.ts";
import type { Payments } from "./payments.ts";

/** One round over all money whose fate is open: direct payments on their chain, payment pages whose events never came. */
export async function reconcilePayments({ direct }: Payments, _parts: PaymentParts): Promise<void> {
  await direct?.reconcile();
}
