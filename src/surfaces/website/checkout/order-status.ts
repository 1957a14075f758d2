import type { OrderRow } from "../../../domain/payments/orders/orders.ts";

/** How an order stands for the person who pays it. */
export type Standing = "payable" | "awaited" | "over" | "paid" | "failed" | "refunded" | "disputed";

/** @param isAwaited a payment was made whose money has not come yet */
export function standingOf(
  { status, expiresAt }: Pick<OrderRow, "status" | "expiresAt">,
  isAwaited: boolean,
  now: number,
): Standing {
  if (status === "expired") return "over";
  if (status !== "pending") return status as Standing;
  if (isAwaited) return "awaited";
  return expiresAt !== null && expiresAt <= now ? "over" : "payable";
}

/** In words, for a list. */
export function standingWords({ takenBack, paidAt }: Pick<OrderRow, "takenBack" | "paidAt">, standing: Standing) {
  if (standing === "paid" && takenBack > 0) return "paid, partly refunded";
  // The transfer vanished with a block of its chain.
  if (standing === "failed" && paidAt !== null) return "payment withdrawn";
  return WORDS[standing];
}

const WORDS: Readonly<Record<Standing, string>> = {
  payable: "not paid yet",
  awaited: "payment on its way",
  over: "not paid in time",
  paid: "paid",
  failed: "payment failed",
  refunded: "refunded",
  disputed: "disputed",
};
