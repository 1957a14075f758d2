import { expect, test } from "vitest";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
import { allTests } from "../support/service/each-test.ts";
import { says } from "./fault-proxy.ts";
import { openShop } from "./shop.ts";

/** A chain whose blocks have no base fee (before EIP-1559), as its node shows it. */

const shop = allTests(() => openShop({ ownKey: true }));

test("200: a service that settles by itself offers a gas price where blocks have no base fee", async () => {
  shop.rpc.fault = async ({ body, pass }) => {
    const reply = await pass();
    if (!body.includes('"eth_getBlockByNumber"')) return reply;
    const { result, ...answer } = JSON.parse(reply.body);
    const { baseFeePerGas: _, ...block } = result;
    return says({ ...answer, result: block });
  };
  const buyer = await shop.buyer();
  const { status, json } = await buyer.send(await buyer.pay());
  expect([status, await buyer.stand()]).toEqual([200, { onChain: 9_990_000n, credits: 150, orders: ["paid"] }]);
  const { type, gasPrice, from } = await shop.devnet.client.getTransaction({ hash: json.order.transaction.hash });
  expect([type, gasPrice! > 0n, from]).toEqual(["legacy", true, DEV_ACCOUNTS.facilitator.address.toLowerCase()]);
});
