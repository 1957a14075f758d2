import { reconcilePayments } from "../../src/domain/payments/reconcile.ts";
import { type Market, QUIET } from "./market.ts";

/** Runs the reconciler over all payments that are not decided. */
export async function reconcile({ world }: Market): Promise<void> {
  const { process } = world;
  await reconcilePayments(process.payments, { ...process, log: QUIET });
}
