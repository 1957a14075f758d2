import { and, inArray, isNotNull, lt, notInArray } from "drizzle-orm";
import { iso, MINUTE } from "../../platform/clock.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/**
 * When a payment counts as late. It is signed for 15 minutes at most, and the chain shows the outcome a few minutes
 * later.
 */
const DECIDED_AFTER = 20 * MINUTE;

/** Whether direct payments are decided in time, and whether any was dropped from the chain after it was credited. */
export async function checkSettlement({ db, clock, config }: Instance): Promise<Check> {
  const name = "Settlement";
  const { directPayments } = db.t;
  const open = await db.q
    .select()
    .from(directPayments)
    .where(
      and(
        inArray(directPayments.state, ["claimed", "submitted"]),
        lt(directPayments.createdAt, clock.now() - DECIDED_AFTER),
      ),
    );
  const vanished = await db.q
    .select({ key: directPayments.key })
    .from(directPayments)
    .where(and(isNotNull(directPayments.orderId), notInArray(directPayments.state, ["credited", "final"])));
  const found = [
    ...(open.length === 0 ? [] : [`${open.length} open, the oldest since ${iso(Math.min(...open.map(createdAt)))}`]),
    ...(vanished.length === 0 ? [] : [`${vanished.length} vanished from the chain after their credits were given`]),
  ];
  const remedy = config.direct
    ? "Check that X402_RPC_URL answers and is in sync; the running service checks these payments every minute."
    : "Restore the X402 settings that these payments were made with, and start the service: it checks them.";
  return { name, ok: found.length === 0, found: found.join("; ") || "every direct payment is decided", remedy };
}

function createdAt(payment: { readonly createdAt: number }): number {
  return payment.createdAt;
}
