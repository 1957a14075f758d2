import type { DirectSettings } from "../../config/payment.ts";
import type { Config } from "../../config.ts";
import { directPayment } from "../direct-payment.ts";
import type { Document } from "../document.ts";
import { fenced, json, page } from "../markdown.ts";
import { IN_SANDBOX } from "./begin.ts";

/** Where direct payment is taken. */
export function walletQuickstart(config: Config, direct: DirectSettings): Document {
  const { siteUrl } = config;
  return {
    path: "/docs/quickstart/wallet",
    title: "An agent with a wallet",
    summary: "Buy credits by x402 with a dollar token, without a person.",
    section: "Begin",
    markdown: page(
      "# An agent with a wallet",
      `A payment needs two things: a wallet with the token, and a credential of the account that the credits are for, with
the scope \`purchase\`. A signature that comes without the credential is not used.`,
      `An agent gets such a credential by its person's e-mail address: [/auth.md](/auth.md), with \`purchase\` in \`scope\`. The
person opens the account on the way, or [signs up](/sign-up) before. An API key with that scope does as well, but is only
made once a first pack is bought. Keep whichever you have in \`BECKON_API_KEY\`.`,
      config.mode === "sandbox" ? IN_SANDBOX : "",
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
    ),
  };
}
