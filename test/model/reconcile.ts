import { reconcilePayments } from "../../src/domain/payments/reconcile.ts";
import { type Market, QUIET } from "./market.ts";

/** A round of the service over all money whose fate is open. */
export async function reconcile({ world }: Market): Promise<void> {
  const { process } = world;
  await reconcilePayments(process.payments, { ...process, log: QUIET });
}
