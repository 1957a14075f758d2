import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";

export function paymentsDocument({ cards, direct }: Config): Document {
  const byCard = `An agent or a program calls [\`buy_credits\`](/docs/operations/buy_credits), which needs the scope \`purchase\`, and
gives \`checkout_url\` to its user. Nothing is charged until the user pays on that page. It then reads the order with
[\`get_order\`](/docs/operations/get_order) until \`status\` is \`paid\`. Users buy credits in the
[dashboard](/dashboard/buy).`;
  const wallet = `[\`pay_direct\`](/docs/operations/pay_direct) takes a signed transfer of a dollar token (EIP-3009) by x402 version 2,
scheme \`exact\`, or by the \`Payment\` scheme of HTTP authentication. When it answers 200, the credits are in the
balance. [How to pay, with code for a client](/docs/quickstart/wallet)`;
  return {
    path: "/docs/payments",
    title: "Paying",
    summary: "How to buy credits, what the statuses of an order mean, and what is guaranteed.",
    section: "Guides",
    markdown: page(
      "# Paying",
      "Credits come in packs, see the [prices](/pricing). Every payment, in whichever way, is one order and one entry of the ledger.",
      "## By card",
      cards === "none" ? "This deployment does not accept cards." : byCard,
      "## From a wallet",
      direct ? wallet : "This deployment does not accept direct payments.",
      "## Orders",
      table(
        ["status", "means"],
        [
          ["`pending`", "the payment link is open, and nothing was paid yet"],
          ["`paid`", "paid, and the credits are in the balance"],
          ["`expired`", "the payment link was not used in time"],
          ["`failed`", "the payment failed"],
          ["`refunded`", "it was refunded in full, and its credits were taken back"],
          [
            "`disputed`",
            "the payment is disputed at the payer's bank; its credits are taken back, and restored if the dispute is won",
          ],
        ],
      ),
      "A payment that arrives late still counts: an order can become `paid` after it was `expired` or `failed`.",
      "## What is guaranteed",
      `- Every payment is credited exactly once, even if it or its confirmation arrives twice.
- A payment whose outcome is not known yet answers 503 [\`settlement_pending\`](/docs/errors/settlement_pending). Do not
  pay again: we keep checking and credit it, even if nobody asks again.
- A refund takes back at most the credits of its order. The balance can fall below zero this way; until it is zero or
  more, nothing can be spent, and waiting URLs are not sent.
- Credits do not expire.`,
    ),
  };
}
