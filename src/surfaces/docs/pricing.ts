import { cardMethodOf } from "../../domain/payments/find-method.ts";
import { PACKS, POPULAR } from "../../domain/payments/orders/packs.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import type { Config } from "../../platform/config/config.ts";
import { formatDollars, formatNumber } from "../../platform/format.ts";
import { SIZES } from "../../platform/limits.ts";
import { directPayment } from "./direct-payment.ts";
import type { Document } from "./document.ts";
import { CREDIT_COSTS } from "./key-figures.ts";
import { page, table } from "./markdown.ts";

export function pricingDocument(config: Config): Document {
  return {
    path: "/pricing",
    title: "Pricing",
    summary: "Packs of credits, what a credit buys, how to buy, and when credits come back.",
    markdown: page(
      "# Pricing",
      "You pay with credits, which you buy in packs. Credits do not expire, and there is no subscription.",
      packTable(config),
      byCard(config),
      "## What a credit buys",
      table(
        ["what", "credits"],
        [
          ["Standard indexing of a URL", String(CREDIT_COSTS.standard)],
          ["Instant indexing of a URL, sent first", String(CREDIT_COSTS.instant)],
          [`Checking ${CREDIT_COSTS.checked} URLs in Google without sending them`, "1"],
        ],
      ),
      `A project takes up to ${formatNumber(SIZES.urlsPerSubmission)} URLs. Its credits are spent when it is created;
[\`estimate_cost\`](/docs/operations/estimate_cost) tells you the price of a list for free. Duplicates and invalid entries
are dropped and cost nothing.`,
      "## When credits are returned",
      `Credits are returned automatically, in full and in both modes, for every URL that Google has not indexed on day
${CHECK_DAYS.final}, that was refused or cancelled before it was sent, or for which nobody could find out. In a check, the answer
"not indexed" is what you paid for; only the credits of URLs that could not be checked within 48 hours are returned.
Credits are returned as credits, not as money.`,
      forPrograms(config),
      config.direct ? directPayment(config.direct, config.siteUrl) : "",
    ),
  };
}

/** The packs, each with a link to buy it. */
export function packTable({ cards }: Pick<Config, "cards">): string {
  const isSold = cards !== "none";
  return table(
    ["pack", "credits", "price", "per credit"],
    PACKS.map(({ id, name, credits, amountCents, perLink }) => [
      `${isSold ? `**[Buy ${name}](/dashboard/buy?pack=${id})**` : name}${id === POPULAR ? " popular" : ""}`,
      formatNumber(credits),
      formatDollars(amountCents),
      perLink,
    ]),
  );
}

function byCard(config: Config): string {
  const method = cardMethodOf(config);
  if (method?.isSandbox)
    return `> **This is a sandbox.** Its payment page is our own, and no money moves. You sign in or create an account, and try
> everything out.`;
  if (method)
    return `You sign in or create an account, and pay on a page of ${method.processor}. We never see your card number.`;
  return `This deployment does not accept cards. ${config.direct ? "Agents [pay directly](#for-agents-with-a-wallet)." : "Ask its operator for credits."}`;
}

function forPrograms({ siteUrl, cards }: Config): string {
  const link = ` An agent with the scope \`purchase\` gets a payment link for its user from
\`POST ${siteUrl}/api/v1/checkout\`, or with the tool [\`buy_credits\`](/docs/operations/buy_credits).`;
  return `## For programs

Programs read these prices from \`GET ${siteUrl}/api/v1/pricing\`.${cards === "none" ? "" : link}`;
}
