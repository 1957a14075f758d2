import type { Reader } from "../../../db/engine.ts";
import { refundedCentsOf } from "./cards/card-payment.ts";
import { explorerUrl } from "./explorers.ts";
import { isLiveOrder, methodOf } from "./find-method.ts";
import { type OrderRow, orderOf, type Transaction } from "./orders/orders.ts";

/** What the receipt of an order says. Times are in ms, money in cents of the order's currency. */
export interface Receipt {
  /** Unique in this service, e.g. `3KX9PQ2M7T-0007`: a part for the account, and the number of the receipt within it. */
  readonly number: string;
  readonly paidAt: number;
  readonly buyer: Buyer;
  readonly order: OrderRow;
  /** How it was paid, in words. */
  readonly method: string;
  /** The part of the price that is tax; null: nobody has worked it out. */
  readonly taxCents: number | null;
  /** Given back to the buyer's card since. */
  readonly refundedCents: number;
  /** With the page that shows it, where its chain has one. */
  readonly transaction: (Transaction & { readonly url: string | null }) | null;
  /** No real money has paid. */
  readonly isTest: boolean;
}

/** The buyer, as the account names them when the receipt is written. */
export interface Buyer {
  readonly name: string;
  readonly email: string;
}

/** @returns null for an order that the account does not have, or that was never paid for */
export async function receiptOf(
  db: Reader,
  { accountId, orderId, buyer }: { accountId: string; orderId: string; buyer: Buyer },
): Promise<Receipt | null> {
  const order = await orderOf(db, accountId, orderId);
  if (order === null || order.paidAt === null || order.receiptNo === null) return null;
  const transaction = order.transaction === null ? null : (JSON.parse(order.transaction) as Transaction);
  return {
    number: receiptNumber(accountId, order.receiptNo),
    paidAt: order.paidAt,
    buyer,
    order,
    method: methodOf(order)?.name ?? order.method,
    taxCents: order.taxCents,
    refundedCents: Math.min(await refundedCentsOf(db, order.id), order.amountCents),
    transaction: transaction && { ...transaction, url: explorerUrl(transaction) },
    isTest: !isLiveOrder(order),
  };
}

/** @param no counts the receipts of the account, from 1 */
function receiptNumber(accountId: string, no: number): string {
  // 50 random bits tell accounts apart.
  const account = accountId.slice(accountId.indexOf("_") + 1).slice(0, 10);
  return `${account.toUpperCase()}-${String(no).padStart(4, "0")}`;
}
