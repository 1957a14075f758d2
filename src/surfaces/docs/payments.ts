import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";

export function paymentsDocument({ cards, direct }: Config): Document {
  const person = `An agent or a program makes a link with [\`buy_credits\`](/docs/operations/buy_credits), which needs the scope
\`purchase\`, and gives \`checkout_url\` to its person. Nothing is charged before they pay on that page. It follows the
order with [\`get_order\`](/docs/operations/get_order) until \`status\` is \`paid\`. A person does the same in the
[dashboard](/dashboard/buy).`;
  const wallet = `[\`pay_direct\`](/docs/operations/pay_direct) takes a signed transfer of a dollar token (EIP-3009) by x402 version 2,
scheme \`exact\`, or by the \`Payment\` scheme of HTTP authentication. The credits are there when it answers.
[How to, with the lines of a client](/docs/quickstart/wallet)`;
  return {
    path: "/docs/payments",
    title: "Paying",
    summary: "How credits are bought, what an order goes through, and what is guaranteed.",
    section: "Guides",
    markdown: page(
      "# Paying",
      "Credits come in packs: [prices](/pricing). Every way to pay ends in one order, one entry of the ledger, one balance.",
      "## By card",
      cards === "none" ? "This deployment takes no cards." : person,
      "## From a wallet",
      direct ? wallet : "This deployment takes no direct payments.",
      "## Orders",
      table(
        ["status", "means"],
        [
          ["`pending`", "the link is open, nothing was paid"],
          ["`paid`", "paid, and the credits are on the account"],
          ["`expired`", "the link was not used in its time"],
          ["`failed`", "the payment did not come through"],
          ["`refunded`", "all of it was paid back, and its credits were taken back"],
          ["`disputed`", "the payer's bank disputes it; its credits are taken back, and restored when that is won"],
        ],
      ),
      "A payment that arrives late still counts: `paid` can be reached from `expired` and `failed`.",
      "## What is guaranteed",
      `- What was paid is credited once: events that arrive twice, and payments that are sent twice, change nothing.
- A payment whose outcome is not known yet answers 503 [\`settlement_pending\`](/docs/errors/settlement_pending). Do not
  pay again: it is followed up and credited, also if nobody asks any more.
- A refund takes back no more credits than its order gave. The balance can pass below zero by that; then nothing can
  be spent, and what waits is held, until it is not.
- Credits do not expire.`,
    ),
  };
}
