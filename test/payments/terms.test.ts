import { beforeAll, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import type { Buyer } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { altered, encoded, highS, type Payment, resigned } from "./wallet.ts";

const shop = allTests(openShop);
let buyer: Buyer;
beforeAll(async () => {
  buyer = await shop.buyer();
});

test("402 payment_invalid: the high-s form of a right signature, and then 200 for the right one", async () => {
  const payment = await buyer.pay();
  const malleated = resigned(payment, highS(signatureOf(payment)));
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(malleated) });
  expect(["invalid_signature", "transfer_failed", "refused_by_facilitator"]).toContain(reason);
  expect((await buyer.send(payment)).status).toBe(200);
});

test("402 payment_invalid: a wallet without money, and then 200 when it has some", async () => {
  const poor = await shop.buyer({ dollars: 9 });
  const payment = await poor.pay();
  expect((await poor.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("insufficient_funds");
  await shop.chain.mint(poor.account.address, 1);
  expect((await poor.send(payment)).status).toBe(200);
});

test("402 payment_invalid: a contract wallet, whose owner has signed", async () => {
  const wallet = await shop.chain.contractWallet(buyer.account.address);
  await shop.chain.mint(wallet, 100);
  const payment = await buyer.pay({ authorization: { from: wallet } });
  const answer = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) });
  expect(["invalid_signature", "unsupported_signature", "refused_by_facilitator"]).toContain(answer.reason);
});

test("200: addresses and nonce in whatever case", async () => {
  const payment = await buyer.pay();
  const { from, to, nonce } = payment.payload.authorization;
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const shouted = altered(payment, { from: upper(from), to: upper(to), nonce: upper(nonce) });
  const answer = await buyer.send(shouted);
  expect([answer.status, answer.reason]).toEqual([200, null]);
});

function signatureOf({ payload }: Payment) {
  return payload.signature;
}
