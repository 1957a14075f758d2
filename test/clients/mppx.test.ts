import { Receipt } from "mppx";
import { evm, Mppx } from "mppx/client";
import { afterAll, expect, test } from "vitest";
import { type Bought, type Buyer, onlyBasic, openMarket, recorded } from "./market.ts";

const market = await openMarket();
const { address, devnet } = market;
afterAll(() => market.close());

/** As its documentation says, for a chain and a token that it does not know. */
function payer(wallet: Buyer["wallet"], send: typeof fetch) {
  const authorization = { name: "Test USD", version: "2" };
  const allowed = { networks: [31337], currencies: [devnet.token], decimals: 6, maxAmount: "150" };
  return Mppx.create({
    methods: [evm.charge({ account: wallet, authorization, ...allowed })],
    polyfill: false,
    fetch: send,
  });
}

test("200: mppx buys a pack with the scheme Payment and keeps its bearer token; again, it is the same order", async () => {
  const { key, wallet, traces } = await market.buyer();
  const { requests, fetch: send } = recorded();
  const mine = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ pack: "basic" });
  const response = await payer(wallet, send).fetch(address, { method: "POST", headers: { ...mine }, body });
  const bought = (await response.json()) as Bought;
  expect([response.status, bought.balance]).toEqual([200, 150]);
  const receipt = Receipt.fromResponse(response);
  expect(receipt).toMatchObject({ status: "success", method: "evm", reference: bought.order.transaction.hash });
  expect(await traces()).toEqual(onlyBasic(bought));

  const [first, second, ...more] = requests;
  expect([first!.status, second!.status, more]).toEqual([402, 200, []]);
  expect(second!.headers.get("authorization")).toBe(`Bearer ${key}`);
  const credential = second!.headers.get("payment-authorization")!;
  expect(credential).toMatch(/^Payment /);

  const again = await fetch(address, {
    method: "POST",
    headers: { ...mine, "Payment-Authorization": credential },
    body,
  });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(await again.json()).toEqual(bought);
  expect(await traces()).toEqual(onlyBasic(bought));
});

test("200: in Authorization too, if the account's key is in X-API-Key", async () => {
  const { key, wallet, traces } = await market.buyer();
  const { requests, fetch: send } = recorded();
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const body = JSON.stringify({ pack: "basic" });
  const price = await send(address, { method: "POST", headers, body });
  const credential = await payer(wallet, send).createCredential(price);
  const moved = { ...headers, Authorization: credential };
  const response = await send(address, { method: "POST", headers: moved, body });
  const bought = (await response.json()) as Bought;
  expect(requests.map(({ status }) => status)).toEqual([402, 200]);
  expect(await traces()).toEqual(onlyBasic(bought));
});
