/** The status of an order as its payer sees it. */
export type DisplayStatus = "open" | "processing" | "expired" | "paid" | "failed" | "refunded" | "disputed";

/** @param hasPendingFunds the payer has paid, but the money has not arrived yet */
export function displayStatusOf(
  { status, expiresAt }: { readonly status: string; readonly expiresAt: number | null },
  hasPendingFunds: boolean,
  now: number,
): DisplayStatus {
  if (status === "expired") return "expired";
  if (status !== "pending") return status as DisplayStatus;
  if (hasPendingFunds) return "processing";
  return expiresAt !== null && expiresAt <= now ? "expired" : "open";
}

/** The status in words, for a list. */
export function displayStatusText(
  { takenBack, paidAt }: { readonly takenBack: number; readonly paidAt: number | null },
  displayStatus: DisplayStatus,
) {
  if (displayStatus === "paid" && takenBack > 0) return "paid, partly refunded";
  // A reorganisation of the chain removed the transfer.
  if (displayStatus === "failed" && paidAt !== null) return "payment reversed";
  return WORDS[displayStatus];
}

const WORDS: Readonly<Record<DisplayStatus, string>> = {
  open: "not paid yet",
  processing: "payment processing",
  expired: "expired",
  paid: "paid",
  failed: "payment failed",
  refunded: "refunded",
  disputed: "disputed",
};
