import { iso } from "../../../platform/clock.ts";
import { formatCount, formatDollars, formatNumber } from "../../../platform/format.ts";
import type { Receipt } from "../../payments/receipts.ts";
import type { LetterPart } from "../layout/letter.ts";
import { lineOf, switchable, type Unsubscribable } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** The receipt of an order. @param seller lines that name who sells */
export function orderPaid(notice: Unsubscribable, receipt: Receipt, seller: readonly string[]): Mail {
  const { number, paidAt, buyer, order, method, taxCents, transaction, isTest } = receipt;
  const credits = formatCount(order.credits, "credit");
  return switchable(notice, "receipts", `Receipt: ${credits} for your Beckon account`, [
    `Thank you. Your payment has arrived, and ${credits} were added to your balance.`,
    ...(isTest ? ["This is a test payment: no real money has paid for it."] : []),
    {
      facts: [
        ["Receipt", number],
        ["Order", order.id],
        ["Paid on", `${iso(paidAt).slice(0, 10)} (UTC)`],
        ["Paid by", method],
        ["Credits", formatNumber(order.credits)],
        ["Price", formatDollars(order.amountCents)],
        ...(taxCents === null ? [] : [["Tax contained", formatDollars(taxCents)] as const]),
      ],
    },
    `Sold by ${seller.map(lineOf).join(", ")}, to ${lineOf(buyer.email)}.`,
    ...(transaction ? [transactionPart(transaction)] : []),
    { link: `${notice.siteUrl}/dashboard/orders/${order.id}/receipt`, label: "Print the receipt" },
  ]);
}

function transactionPart({ network, hash, url }: NonNullable<Receipt["transaction"]>): LetterPart {
  return url === null
    ? `The transaction is ${hash} on the network ${network}.`
    : { link: url, label: "See the transaction" };
}
