import { and, inArray, isNotNull, lt, notInArray } from "drizzle-orm";
import { iso, MINUTE } from "../../platform/clock.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** A payment is signed for 15 minutes at most; after some more its fate is known, if the chain can be asked. */
const DECIDED_AFTER = 20 * MINUTE;

/** Whether direct payments come to an end, and stay where they were found. */
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
    ? "Look whether X402_RPC_URL answers and follows the chain; the service looks at them every minute while it runs."
    : "Set the X402 settings again that these payments were made with, and start the service: it looks at them.";
  return { name, ok: found.length === 0, found: found.join("; ") || "every direct payment is decided", remedy };
}

function createdAt(payment: { readonly createdAt: number }): number {
  return payment.createdAt;
}
