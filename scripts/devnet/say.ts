import type { Facts } from "./environment.ts";

/** The instructions that `npm run devnet` prints. */
export function instructions({ network, rpc, token, facilitator, buyer, environment, beckon }: Facts): string {
  return `A chain of its own is running. Its dollars are worth nothing, and all of it is gone when this ends.

  chain        ${network}, JSON-RPC at ${rpc}
  test dollar  ${token}  (six decimals; anybody may mint)
  facilitator  ${facilitator}
  buyer        ${buyer.address}  (${buyer.dollars} test dollars)
               private key ${buyer.key}
               The whole world knows this key: never send it anything on another chain.

${beckon ? running(beckon) : starting(environment)}
Ctrl-C ends it.`;
}

function running({ url, key }: NonNullable<Facts["beckon"]>): string {
  const bearer = `"Authorization: Bearer ${key}"`;
  return `Beckon takes these dollars at ${url}, with the API key ${key}

  the price:    curl -si "${url}/api/v1/credits/x402?pack=basic"
  the balance:  curl -s ${url}/api/v1/account -H ${bearer}

To pay, give the buyer's key to a client of x402, and send the API key with both of its requests. A stock client pays
a dollar at most, in tokens that it knows: allow it this one and more by setSpendControls.
`;
}

function starting(environment: Facts["environment"]): string {
  const lines = Object.entries(environment).map(([name, value]) => `  ${name}=${value} \\`);
  return `To start Beckon as a sandbox that takes them, in another terminal:

${lines.join("\n")}
  npm start
`;
}
