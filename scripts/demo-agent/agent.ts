import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";
import { Agent } from "../../test/support/oauth/agent.ts";

const NAME = "Demo agent";

export interface Pack {
  readonly id: string;
  readonly credits: number;
  readonly price: string;
}

/** Registers for a user whose e-mail address it knows. @returns what to show the user, and how to get the token afterwards */
export async function register(url: string, email: string) {
  const agent = new Agent({ url });
  const { status, body } = await agent.register(email, { agent_name: NAME, scope: "read index purchase" });
  if (status !== 200) throw new Error(`registering was answered ${status}: ${JSON.stringify(body)}`);
  const { user_code: code, verification_uri: link } = body.claim;
  return {
    shown: { email, code, link },
    async collect(): Promise<string> {
      const { status, body: tokens } = await agent.poll(body.claim_token);
      if (status !== 200) throw new Error(`collecting the token was answered ${status}: ${JSON.stringify(tokens)}`);
      return tokens.access_token;
    },
  };
}

export async function packsOf(url: string): Promise<Pack[]> {
  const answer = await fetch(`${url}/api/v1/pricing`);
  return ((await answer.json()) as { packs: Pack[] }).packs;
}

/**
 * Pays a pack with the stock x402 client: it reads the price in the 402, signs, and sends the call again.
 * @param most base units that a payment may cost
 */
export async function buy(
  url: string,
  { token, wallet, asset, most, pack }: Purchase,
): Promise<{ order: Order; balance: number }> {
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(wallet));
  // By default the client pays at most a dollar, and only in tokens that it knows.
  client.setSpendControls({ allowedAssets: [{ ...asset, maxAmountPerPayment: most }] });
  const paying = wrapFetchWithPayment(fetch, client);
  const answer = await paying(`${url}/api/v1/credits/x402`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ pack }),
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`the payment was answered ${answer.status}: ${JSON.stringify(body)}`);
  return body as { order: Order; balance: number };
}

interface Purchase {
  readonly token: string;
  readonly wallet: PrivateKeyAccount;
  readonly asset: { readonly network: `${string}:${string}`; readonly asset: string };
  readonly most: string;
  readonly pack: string;
}

interface Order {
  readonly id: string;
  readonly credits: number;
  readonly transaction: { readonly hash: string; readonly payer: string; readonly amount: string };
}
