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
    summary: "Buy credits by x402 with a dollar token, without a person.",
    section: "Begin",
    markdown: config.direct ? howToPay(config, config.direct) : whyNot(config),
  };
}

function howToPay({ siteUrl, mode }: Config, direct: DirectSettings): string {
  return page(
    "# An agent with a wallet",
    `A payment needs two things: a wallet with the token, and a credential of the account that the credits are for, with
the scope \`purchase\`. A signature that comes without the credential is not used.`,
    `An agent gets such a credential by its person's e-mail address: [/auth.md](/auth.md), with \`purchase\` in \`scope\`. The
person opens the account on the way, or [signs up](/sign-up) before. An API key with that scope does as well, but is only
made once a first pack is bought. Keep whichever you have in \`BECKON_API_KEY\`.`,
    mode === "sandbox" ? IN_SANDBOX : "",
    "## 1. Ask the price",
    "It costs nothing and needs no credential. The price is in the headers `PAYMENT-REQUIRED` and `WWW-Authenticate`:",
    fenced("sh", `curl -i "${siteUrl}/api/v1/credits/x402?pack=basic"`),
    "## 2. Pay",
    directPayment(direct, siteUrl).replace("## For agents with a wallet\n\n", ""),
    "## Over MCP and A2A",
    `Over MCP, call the tool \`pay_direct\`. Without a payment its result is an error that carries the price as
\`structuredContent\`; sign it, and call again with the signed payment beside the arguments:`,
    json({
      name: "pay_direct",
      arguments: { pack: "basic" },
      _meta: { "x402/payment": { x402Version: 2, "…": "…" } },
    }),
    "Over A2A, the skill `pay_direct` asks for the payment by the [x402 extension](/docs/a2a#payment).",
    "[All about paying](/docs/payments)",
  );
}

/** Where direct payment is not taken. */
function whyNot({ cards }: Config): string {
  return page(
    "# An agent with a wallet",
    `This deployment takes no payments from a wallet: \`GET /api/v1/credits/x402\` is answered with 404
[\`direct_payment_disabled\`](/docs/errors/direct_payment_disabled), and \`pay_direct\` is not among its tools and skills.`,
    cards === "none"
      ? "Its operator gives credits."
      : "Here an agent calls [`buy_credits`](/docs/operations/buy_credits) and shows its person the link to pay by card.",
    `Where it is taken, an agent reads the price, signs a transfer of a dollar token (x402 version 2) and sends it along with
its credential; nobody has to open a page. Who runs Beckon switches it on by the settings that begin with \`X402_\`. To see
all of it on a chain whose dollars are worth nothing, in a copy of the source:`,
    fenced(
      "sh",
      "npm run devnet        # a chain, a test dollar, a funded buyer, and Beckon that takes its dollars\nnpm run demo:agent    # an agent that registers, pays from its wallet and submits",
    ),
    "[All about paying](/docs/payments)",
  );
}
