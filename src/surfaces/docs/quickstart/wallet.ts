import type { Config } from "../../../platform/config/config.ts";
import type { DirectSettings } from "../../../platform/config/payment.ts";
import { directPayment } from "../direct-payment.ts";
import type { Document } from "../document.ts";
import { fenced, json, page } from "../markdown.ts";
import { IN_SANDBOX } from "./shared-text.ts";

export function walletQuickstart(config: Config): Document {
  return {
    path: "/docs/quickstart/wallet",
    title: "An agent with a wallet",
    summary: "Buy credits with x402 and a dollar token, without a payment page.",
    section: "Get started",
    markdown: config.direct ? howToPay(config, config.direct) : whyNot(config),
  };
}

function howToPay({ siteUrl, mode }: Config, direct: DirectSettings): string {
  return page(
    "# An agent with a wallet",
    `A payment needs two things: a wallet with the token, and a credential with the scope \`purchase\` of the account that
gets the credits. A signature without the credential is not used.`,
    `An agent gets such a credential with the e-mail address of its user: see [/auth.md](/auth.md), and ask for \`purchase\` in
\`scope\`. The user creates an account on the way, or [signs up](/sign-up) before. An API key with that scope works too,
but you can only create one after buying a first pack. Put either into \`BECKON_API_KEY\`.`,
    mode === "sandbox" ? IN_SANDBOX : "",
    "## 1. Ask for the price",
    "This costs nothing and needs no credential. The price is in the headers `PAYMENT-REQUIRED` and `WWW-Authenticate`:",
    fenced("sh", `curl -i "${siteUrl}/api/v1/credits/x402?pack=basic"`),
    "## 2. Pay",
    directPayment(direct, siteUrl).replace("## For agents with a wallet\n\n", ""),
    "## Over MCP and A2A",
    `Over MCP, call the tool \`pay_direct\`. Without a payment its result is an error with the price in
\`structuredContent\`. Sign the payment, and call the tool again with it in \`_meta\`:`,
    json({
      name: "pay_direct",
      arguments: { pack: "basic" },
      _meta: { "x402/payment": { x402Version: 2, "…": "…" } },
    }),
    "Over A2A, the skill `pay_direct` asks for the payment with the [x402 extension](/docs/a2a#payment).",
    "[All about paying](/docs/payments)",
  );
}

/** For deployments that do not accept direct payments. */
function whyNot({ cards }: Config): string {
  return page(
    "# An agent with a wallet",
    `This deployment does not accept payments from a wallet: \`GET /api/v1/credits/x402\` is answered with 404
[\`direct_payment_disabled\`](/docs/errors/direct_payment_disabled), and there is no tool or skill \`pay_direct\`.`,
    cards === "none"
      ? "Ask its operator for credits."
      : "Here an agent calls [`buy_credits`](/docs/operations/buy_credits) and gives its user the link to pay by card.",
    `Where direct payment is enabled, an agent reads the price, signs a transfer of a dollar token (x402 version 2) and sends
it with its credential; nobody has to open a page. The operator enables it with the settings that begin with \`X402_\`. To
try all of it with a test dollar on a local chain, in a checkout of the source:`,
    fenced(
      "sh",
      "npm run devnet        # starts a chain, a test dollar, a funded buyer, and a Beckon that accepts the dollar\nnpm run demo:agent    # plays an agent that registers, pays from its wallet and submits",
    ),
    "[All about paying](/docs/payments)",
  );
}
