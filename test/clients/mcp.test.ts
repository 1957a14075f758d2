import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import { afterAll, describe, expect, test, vi } from "vitest";
import { answerOf } from "../support/mcp/call-every-tool.ts";
import { CLIENTS, type ToolResult } from "../support/mcp/clients.ts";
import { beckonMcp } from "../support/mcp/stdio.ts";
import { type Bought, type Buyer, onlyBasic, openMarket } from "./market.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });
const market = await openMarket();
const { devnet, service } = market;
afterAll(() => market.close());

/** Signs what a tool result asks for, as the binding of x402 to MCP says. */
function signed({ wallet }: Buyer, { structuredContent }: ToolResult) {
  const { network, token: asset } = devnet;
  const client = new x402Client()
    .register("eip155:*", new ExactEvmScheme(wallet))
    .setSpendControls({ allowedAssets: [{ network, asset }] });
  return client.createPaymentPayload(structuredContent as unknown as Parameters<typeof client.createPaymentPayload>[0]);
}

const PLACES = {
  "over HTTP": ({ key }: Buyer) => ({ url: `${service.url}/mcp`, key }),
  "over stdio": ({ key }: Buyer) => beckonMcp(service.url, key),
};
const cases = Object.entries(CLIENTS).flatMap(([name, connect]) =>
  Object.entries(PLACES).map(([where, placeOf]) => [`${name} ${where}`, connect, placeOf] as const),
);

describe.each(cases)("%s", (_, connect, placeOf) => {
  test("buys a pack with pay_direct; the same payment again is the same order", async () => {
    const buyer = await market.buyer();
    const client = await connect(placeOf(buyer));
    try {
      await client.list();
      const price = await client.call("pay_direct", { pack: "basic" });
      expect(price.isError).toBe(true);
      expect(price.content[0]!.text).toBe(JSON.stringify(price.structuredContent));
      const paying = { "x402/payment": await signed(buyer, price) };

      const answer = await client.call("pay_direct", { pack: "basic" }, paying);
      const bought = answerOf(answer) as unknown as Bought;
      expect([answer.isError, bought.balance]).toEqual([undefined, 150]);
      const settled = { success: true, transaction: bought.order.transaction.hash, network: devnet.network };
      expect(answer._meta).toMatchObject({ "x402/payment-response": settled });
      expect(answer._meta).not.toHaveProperty(["beckon/idempotent-replayed"]);
      expect(await buyer.traces()).toEqual(onlyBasic(bought));

      const again = await client.call("pay_direct", { pack: "basic" }, paying);
      expect(again.content).toEqual(answer.content);
      expect(again._meta).toMatchObject({ "x402/payment-response": settled, "beckon/idempotent-replayed": true });
      expect(await buyer.traces()).toEqual(onlyBasic(bought));
    } finally {
      await client.close();
    }
  });
});
