import type { Reader } from "../../../../../db/engine.ts";
import { iso } from "../../../../platform/clock.ts";
import type { PresentedPayment } from "../../orders/presented-payment.ts";
import { type DirectPaymentRow, isCredited } from "../journal/journal.ts";
import { orderById } from "../journal/order.ts";
import { encode, METHOD } from "../protocol/challenge.ts";
import { headerOf } from "../protocol/header.ts";
import type { Reason } from "../protocol/reasons.ts";
import { pending } from "../protocol/refusals.ts";
import { checksummed } from "../protocol/terms.ts";
import type { SettledPayment } from "./purchase.ts";

/** The headers that answer a payment, in the scheme of the payment. @throws Refusal settlement_pending */
export async function describeSettled(
  db: Reader,
  row: DirectPaymentRow,
  scheme: PresentedPayment["scheme"],
  now: number,
): Promise<SettledPayment> {
  const { key, hash, orderId } = row;
  if (hash === null) throw pending();
  const isReplay = isCredited(row);
  const at = (orderId && (await orderById(db, orderId)).paidAt) || now;
  const receipt = { status: "success", method: METHOD, timestamp: iso(at), reference: hash };
  const headers = {
    ...paymentResponse({ success: true, transaction: hash, network: row.network, payer: row.payer }),
    ...(scheme === "payment" ? { "Payment-Receipt": encode(receipt) } : {}),
  };
  return { key, headers, isReplay };
}

interface Response {
  readonly success: boolean;
  readonly errorReason?: Reason;
  /** Its hash; empty where there is none. */
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
}

/** x402 v2, SettlementResponse. */
export function paymentResponse({ payer, network, ...response }: Response): Record<string, string> {
  return { "PAYMENT-RESPONSE": headerOf({ ...response, payer: checksummed(payer), network }) };
}
