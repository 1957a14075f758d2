import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, expect, test } from "vitest";
import { type Bought, NOTHING, onlyBasic, openMarket, recorded } from "./market.ts";

const market = await openMarket();
const { address, devnet } = market;
afterAll(() => market.close());

/** As its documentation says, with leave to spend more than the dollar it spends of itself, and on this token. */
function clientOf(wallet: PrivateKeyAccount) {
  const { network, token: asset } = devnet;
  return new x402Client()
    .register("eip155:*", new ExactEvmScheme(wallet))
    .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: "150000000" }] });
}

const purchase = (key: string, pack = "basic"): RequestInit => ({
  method: "POST",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  body: JSON.stringify({ pack }),
});

test("200: @x402/fetch buys a pack and keeps its bearer token; the same payment again is the same order", async () => {
  const { key, wallet, traces } = await market.buyer();
  const { requests, fetch: send } = recorded();
  const response = await wrapFetchWithPayment(send, clientOf(wallet))(address, purchase(key));
  const bought = (await response.json()) as Bought;
  expect([response.status, bought.balance]).toEqual([200, 150]);
  const settled = decodePaymentResponseHeader(response.headers.get("payment-response")!);
  expect(settled).toEqual({
    success: true,
    transaction: bought.order.transaction.hash,
    network: devnet.network,
    payer: expect.stringMatching(new RegExp(`^${wallet.address}$`, "i")),
  });
  expect(await traces()).toEqual(onlyBasic(bought));
  expect(requests.map(({ status, headers }) => [status, headers.get("authorization")])).toEqual([
    [402, `Bearer ${key}`],
    [200, `Bearer ${key}`],
  ]);

  const signature = requests[1]!.headers.get("payment-signature")!;
  const { headers, ...rest } = purchase(key);
  const again = await fetch(address, { ...rest, headers: { ...headers, "PAYMENT-SIGNATURE": signature } });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(await again.json()).toEqual(bought);
  expect(await traces()).toEqual(onlyBasic(bought));
});

test("402: a client without the account's credential gets the price again, and its signature is not submitted", async () => {
  const { wallet, traces } = await market.buyer();
  const before = { ...devnet.facilitator.calls };
  const pay = wrapFetchWithPayment(fetch, clientOf(wallet));
  const { headers: _, ...anonymous } = purchase("");
  const response = await pay(address, { ...anonymous, headers: { "Content-Type": "application/json" } });
  expect(response.status).toBe(402);
  expect(devnet.facilitator.calls).toEqual(before);
  expect(await traces()).toEqual(NOTHING);
});

test("a client with default settings refuses to spend that much, and nothing is paid", async () => {
  const { key, wallet, traces } = await market.buyer();
  const careful = new x402Client().register("eip155:*", new ExactEvmScheme(wallet));
  await expect(wrapFetchWithPayment(fetch, careful)(address, purchase(key))).rejects.toThrow(/spendControls/);
  expect(await traces()).toEqual(NOTHING);
});
