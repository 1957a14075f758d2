import { PACKS, POPULAR } from "../../domain/payments/orders/prices.ts";
import type { Config } from "../../platform/config/config.ts";
import { SIZES } from "../../platform/limits.ts";
import { directPayment } from "./direct-payment.ts";
import type { Document } from "./document.ts";
import { CREDIT_COSTS, FINAL_DAY } from "./key-figures.ts";
import { dollars, figure, page, table } from "./markdown.ts";

export function pricingDocument(config: Config): Document {
  return {
    path: "/pricing",
    title: "Pricing",
    summary: "Packs of credits, what a credit buys, how to buy, and when credits come back.",
    markdown: page(
      "# Pricing",
      "Work is paid for with credits, bought in packs. Credits do not expire, and there is no subscription.",
      packTable(config),
      byCard(config),
      "## What a credit buys",
      table(
        ["what", "credits"],
        [
          ["Standard indexing of a URL", String(CREDIT_COSTS.standard)],
          ["Instant indexing of a URL, first in line", String(CREDIT_COSTS.instant)],
          [`Looking up ${CREDIT_COSTS.checked} URLs in Google (index checker)`, "1"],
        ],
      ),
      `A project takes up to ${figure(SIZES.urlsPerSubmission)} URLs. Its credits are spent when it is made; what a list would cost,
\`estimate_cost\` says for nothing. Duplicates and invalid entries are dropped and cost nothing.`,
      "## When credits come back",
      `By themselves, in full, in both modes: for every URL that Google does not have on day ${FINAL_DAY}, for every URL that was
refused or cancelled before it was sent, and for every one of which nobody could find out. Of the index checker, an
answer "not indexed" is what you paid for; only URLs that could not be looked up within 48 hours are given back.
Credits come back as credits.`,
      forPrograms(config),
      config.direct ? directPayment(config.direct, config.siteUrl) : "",
    ),
  };
}

/** The packs, each with the way to buy it. */
export function packTable({ cards }: Pick<Config, "cards">): string {
  const isSold = cards !== "none";
  return table(
    ["pack", "credits", "price", "per credit"],
    PACKS.map(({ id, name, credits, amountCents, perLink }) => [
      `${isSold ? `**[Buy ${name}](/dashboard/buy?pack=${id})**` : name}${id === POPULAR ? " popular" : ""}`,
      figure(credits),
      dollars(amountCents),
      perLink,
    ]),
  );
}

function byCard({ cards, direct }: Config): string {
  if (cards === "stripe")
    return "You sign in, or open an account, and pay on a page of Stripe. We never see the number of your card.";
  if (cards === "sandbox")
    return `> **This is a sandbox.** Its payment page is one of our own, where no money moves. You sign in, or open an
> account, and try everything out.`;
  return `This deployment takes no cards. ${direct ? "Agents [pay directly](#for-agents-with-a-wallet)." : "Its operator gives credits."}`;
}

function forPrograms({ siteUrl, cards }: Config): string {
  const link = ` An agent that is allowed to \`purchase\` gets a payment link for its person from
\`POST ${siteUrl}/api/v1/checkout\`, or by the tool [\`buy_credits\`](/docs/operations/buy_credits).`;
  return `## For programs

They read these prices from \`GET ${siteUrl}/api/v1/pricing\`.${cards === "none" ? "" : link}`;
}
