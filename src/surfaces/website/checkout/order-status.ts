import type { OrderRow } from "../../../domain/payments/orders/orders.ts";

/** How an order stands for the person who pays it. */
export type DisplayStatus = "open" | "processing" | "expired" | "paid" | "failed" | "refunded" | "disputed";

/** @param isAwaited a payment was made whose money has not come yet */
export function displayStatusOf(
  { status, expiresAt }: Pick<OrderRow, "status" | "expiresAt">,
  isAwaited: boolean,
  now: number,
): DisplayStatus {
  if (status === "expired") return "expired";
  if (status !== "pending") return status as DisplayStatus;
  if (isAwaited) return "processing";
  return expiresAt !== null && expiresAt <= now ? "expired" : "open";
}

/** In words, for a list. */
export function displayStatusText(
  { takenBack, paidAt }: Pick<OrderRow, "takenBack" | "paidAt">,
  displayStatus: DisplayStatus,
) {
  if (displayStatus === "paid" && takenBack > 0) return "paid, partly refunded";
  // The transfer vanished with a block of its chain.
  if (displayStatus === "failed" && paidAt !== null) return "payment withdrawn";
  return WORDS[displayStatus];
}

const WORDS: Readonly<Record<DisplayStatus, string>> = {
  open: "not paid yet",
  processing: "payment on its way",
  expired: "not paid in time",
  paid: "paid",
  failed: "payment failed",
  refunded: "refunded",
  disputed: "disputed",
};
