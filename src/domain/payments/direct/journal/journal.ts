import { eq } from "drizzle-orm";
import type { Reader } from "../../../../../db/engine.ts";
import type { Schema } from "../../../../../db/schema.ts";

/**
 * The life of a direct payment in `direct_payments`:
 *
 * - `claimed`: a call verifies it; nothing was handed over, nothing is owed.
 * - `submitted`: it is being handed over to the facilitator, or was. The chain may show it at any time.
 * - `refused`: the facilitator says that it did not submit it. The chain may show it all the same.
 * - `expired`: its validity is over, and it was not used.
 * - `void`: it was cancelled, or paid somebody else.
 * - `credited`: its transfer is on the chain, and its credits are given.
 * - `final`: credited, and its block can no longer be reorganised.
 *
 * A reorganisation of the chain can lead from `credited` back to `submitted`; the payment keeps its order.
 */
export type DirectPaymentState = "claimed" | "submitted" | "refused" | "expired" | "void" | "credited" | "final";

export type DirectPaymentRow = Schema["directPayments"]["$inferSelect"];

/** In these states the chain may still show the transfer. */
export const PENDING_STATES = ["submitted", "refused"] as const satisfies DirectPaymentState[];
/** In these states the chain should not show the transfer any more; if it does, the payment is credited. */
export const ENDED_STATES = ["expired", "void"] as const satisfies DirectPaymentState[];
/** Submitted, and not credited. */
export const SUBMITTED_STATES = [...PENDING_STATES, ...ENDED_STATES] as const satisfies DirectPaymentState[];

export async function paymentOf(db: Reader, key: string): Promise<DirectPaymentRow | null> {
  const { directPayments } = db.t;
  const [row] = await db.q.select().from(directPayments).where(eq(directPayments.key, key));
  return row ?? null;
}

export function isCredited({ state }: DirectPaymentRow): boolean {
  return state === "credited" || state === "final";
}
