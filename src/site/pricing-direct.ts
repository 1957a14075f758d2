import type { DirectSettings } from "../config/payment.ts";
import { baseUnitsOf, PACKS } from "../payments/prices.ts";
import { type Html, html } from "./html.ts";

type Terms = Pick<DirectSettings, "network" | "asset">;

/** How an agent with a wallet buys, by the stock client of x402. */
export function directPayment({ network, asset }: Terms, siteUrl: string): Html {
  return html`<h2 id="direct">For agents with a wallet</h2>
<p>An agent pays the same prices directly, in a dollar token, by <a href="https://www.x402.org/" rel="noreferrer">x402</a>
version 2 or by the <code>Payment</code> scheme of HTTP authentication. Nobody has to open a page.</p>
<dl class="facts"><dt>Network</dt>
<dd>${networkName(network)}<code>${network}</code></dd>
<dt>Token</dt>
<dd><code>${asset}</code>, six decimals</dd>
<dt>Price</dt>
<dd><code>GET ${siteUrl}/api/v1/credits/x402?pack=basic</code></dd>
<dt>Payment</dt>
<dd><code>POST ${siteUrl}/api/v1/credits/x402</code> with a credential that holds <code>purchase</code></dd></dl>
<pre tabindex="0"><code>${directExample({ network, asset }, siteUrl)}</code></pre>
<ul>
<li>Without <code>setSpendControls</code> the client refuses every pack: by itself it pays one dollar at most, and only
in tokens it knows. The limit above is the price of ${PACKS[0].name}.</li>
<li>Use the paying <code>fetch</code> for this address only. Our other calls answer 402 too, when credits are short, and
it takes each for a price.</li>
<li>An answer of 503 <code>settlement_pending</code> says that the outcome is not known yet. Do not pay again: we go on
asking the chain, the credits come by themselves, and <code>GET ${siteUrl}/api/v1/orders</code> shows the order then. Who
has kept the signature may send the very same request again.</li>
</ul>`;
}

/** Buys the smallest pack. */
export function directExample({ network, asset }: Terms, siteUrl: string): string {
  const [pack] = PACKS;
  // A line of its own each, so that nobody takes the imports for ours.
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
  return name ? `${name}, ` : "";
}

const NETWORKS: Readonly<Record<string, string>> = {
  "eip155:1": "Ethereum",
  "eip155:8453": "Base",
  "eip155:84532": "Base Sepolia, a test network",
};
