import { eq } from "drizzle-orm";
import type { Reader } from "../../../../../db/engine.ts";
import type { Schema } from "../../../../../db/schema.ts";

/**
 * The life of a direct payment in `direct_payments`:
 *
 * - `claimed`: somebody looks at it; nothing was handed over, nothing is owed.
 * - `submitted`: it is being handed over, or was. The chain may show it at any time.
 * - `refused`: the facilitator says that it will not be. The chain may show it all the same.
 * - `expired`: its time has passed, and it was not used.
 * - `void`: it was used up without paying us.
 * - `credited`: its transfer stood on the chain, and its credits are given.
 * - `final`: so it does for good.
 *
 * A reorganisation of the chain can lead from `credited` back to `submitted`, with the order that it has.
 */
export type DirectPaymentState = "claimed" | "submitted" | "refused" | "expired" | "void" | "credited" | "final";

export type DirectPaymentRow = Schema["directPayments"]["$inferSelect"];

/** The chain may still show these. */
export const PENDING_STATES = ["submitted", "refused"] as const satisfies DirectPaymentState[];
/** It should not show these any more; when it does, they are paid. */
export const ENDED_STATES = ["expired", "void"] as const satisfies DirectPaymentState[];
/** Of payments that were handed over, and not credited. */
export const SUBMITTED_STATES = [...PENDING_STATES, ...ENDED_STATES] as const satisfies DirectPaymentState[];

export async function paymentOf(db: Reader, key: string): Promise<DirectPaymentRow | null> {
  const { directPayments } = db.t;
  const [row] = await db.q.select().from(directPayments).where(eq(directPayments.key, key));
  return row ?? null;
}

export function isCredited({ state }: DirectPaymentRow): boolean {
  return state === "credited" || state === "final";
}
