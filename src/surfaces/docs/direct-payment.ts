import { baseUnitsOf, PACKS } from "../../domain/payments/orders/packs.ts";
import type { DirectSettings } from "../../platform/config/payment.ts";
import { isTestNetwork } from "../../platform/config/test-networks.ts";
import { fenced, page, table } from "./markdown.ts";

type Terms = Pick<DirectSettings, "network" | "asset">;

/** How an agent with a wallet buys credits, with the official client of x402. */
export function directPayment({ network, asset }: Terms, siteUrl: string): string {
  return page(
    "## For agents with a wallet",
    `An agent pays the same prices directly, in a dollar token, with [x402](https://www.x402.org/) version 2 or the
\`Payment\` scheme of HTTP authentication. Nobody has to open a page.`,
    table(
      ["", ""],
      [
        ["Network", `${networkName(network)}\`${network}\``],
        ["Token", `\`${asset}\`, six decimals`],
        ["Price", `\`GET ${siteUrl}/api/v1/credits/x402?pack=basic\``],
        ["Payment", `\`POST ${siteUrl}/api/v1/credits/x402\` with a credential that has the scope \`purchase\``],
      ],
    ),
    fenced("js", directExample({ network, asset }, siteUrl)),
    `- Without \`setSpendControls\` the client refuses every pack: by default it pays at most one dollar, and only in tokens it
  knows. The limit above is the price of ${PACKS[0].name}.
- Use the paying \`fetch\` for this address only. Other calls answer 402 too, when credits are short, and it would take
  every 402 for a price.
- 503 \`settlement_pending\` means that the outcome is not known yet. Do not pay again: we keep checking the chain, the
  credits are added automatically, and \`GET ${siteUrl}/api/v1/orders\` then shows the order. You may send the same
  request with the same signature again.`,
  ).trimEnd();
}

/** JavaScript that buys the smallest pack. */
export function directExample({ network, asset }: Terms, siteUrl: string): string {
  const [pack] = PACKS;
  // One string per line, so that tools do not take the imports for those of this file.
  return [
    "// npm install @x402/fetch @x402/evm viem",
    'import { wrapFetchWithPayment, x402Client } from "@x402/fetch";',
    'import { ExactEvmScheme } from "@x402/evm";',
    'import { privateKeyToAccount } from "viem/accounts";',
    "",
    "const wallet = privateKeyToAccount(process.env.WALLET_KEY);",
    `const client = new x402Client().register("${network}", new ExactEvmScheme(wallet));`,
    "client.setSpendControls({",
    "  allowedAssets: [{",
    `    network: "${network}",`,
    `    asset: "${asset}",`,
    `    maxAmountPerPayment: "${baseUnitsOf(pack)}",`,
    "  }],",
    "});",
    "const pay = wrapFetchWithPayment(fetch, client);",
    "",
    `const response = await pay("${siteUrl}/api/v1/credits/x402", {`,
    '  method: "POST",',
    "  headers: {",
    `    Authorization: "Bearer " + process.env.BECKON_API_KEY,`,
    '    "Content-Type": "application/json",',
    "  },",
    `  body: JSON.stringify({ pack: "${pack.id}" }),`,
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function networkName(network: string): string {
  const name = NETWORKS[network];
  return `${name ? `${name}, ` : ""}${isTestNetwork(network) ? "a test network, " : ""}`;
}

const NETWORKS: Readonly<Record<string, string>> = {
  "eip155:1": "Ethereum",
  "eip155:8453": "Base",
  "eip155:84532": "Base Sepolia",
};
