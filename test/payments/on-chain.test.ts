import { afterEach, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { before, cutAt, type Fault } from "./fault-proxy.ts";
import { openShop } from "./shop.ts";
import { encoded, newNonce, type Payment } from "./wallet.ts";

/** What others do on the chain while a payment is on its way. */

const shop = allTests(openShop);
afterEach(() => {
  shop.facilitator.fault = null;
  shop.rpc.fault = null;
});

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

test("200: a stranger submits the payment before the facilitator does", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = before("/settle", () => shop.chain.submit(payment));
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("402 payment_invalid already_used: a transfer from before the payment was presented is credited to nobody", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  await shop.chain.submit(payment);
  for (const claimant of [buyer, await shop.buyer()]) {
    const { reason } = await claimant.refused({ "PAYMENT-SIGNATURE": encoded(payment) });
    expect(reason).toBe("already_used");
  }
});

test("200: submitted by a stranger while the facilitator still verifies it", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = before("/verify", () => shop.chain.submit(payment));
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("402 invalid_signature: a payment that a third party submits is not credited to an account without its signature", async () => {
  const [payer, thief] = [await shop.buyer(), await shop.buyer()];
  const payment = await payer.pay();
  const { authorization } = payment.payload;
  shop.rpc.fault = landsAfterTheFirstLook(payment);
  const { status, reason } = await thief.send(await thief.pay({ authorization }));
  expect([status, reason]).toEqual([402, "invalid_signature"]);
  expect(await payer.stand()).toEqual({ onChain: 9_990_000n, credits: 0, orders: [] });
  await shop.reconcile();
  expect(await shop.creditsOf(thief.id)).toBe(0);
});

test("200: a payment that a third party submits is credited to the account that had sent its signature before", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.rpc.fault = landsAfterTheFirstLook(payment);
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

/** The chain says that a payment is not used, and a moment later it is. */
function landsAfterTheFirstLook(payment: Payment): Fault {
  let looks = 0;
  return async ({ body, pass }) => {
    const reply = await pass();
    if (body.includes("eth_call") && looks++ === 0) await shop.chain.submit(payment);
    return reply;
  };
}

test("402 payment_invalid: an authorization that its payer has cancelled before", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  await shop.chain.cancel(buyer.account, payment);
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("already_used");
});

test("no credits: an authorization that its payer cancels while it is on its way", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = before("/settle", () => shop.chain.cancel(buyer.account, payment));
  const first = await buyer.send(payment);
  expect([402, 503]).toContain(first.status);
  await shop.devnet.mine(3);
  await shop.reconcile();
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) });
  expect(reason).toBe("already_used");
  expect(await buyer.stand()).toEqual({ onChain: 0n, credits: 0, orders: [] });
});

test("200 twice: two authorizations in one transaction are two payments", async () => {
  const [one, other] = [await shop.buyer(), await shop.buyer()];
  const [first, second] = [await one.pay(), await other.pay({}, "pro")];
  shop.facilitator.fault = before("/settle", async () => {
    shop.facilitator.fault = cutAt("/settle");
    await shop.chain.submitTogether([first, second]);
  });
  // The second is claimed and journalled while its transfer is not on the chain yet.
  shop.facilitator.fault = cutAt("/settle");
  expect((await other.send(second, "pro")).status).toBe(503);
  shop.facilitator.fault = before("/settle", () => shop.chain.submitTogether([first, second]));
  expect((await one.send(first)).status).toBe(200);
  await shop.reconcile();
  expect(await one.stand()).toEqual(PAID);
  expect(await other.stand()).toEqual({ onChain: 29_990_000n, credits: 500, orders: ["paid"] });
});

test("200 twice: two authorizations of one wallet in one transaction, of one pack, are two payments", async () => {
  const buyer = await shop.buyer();
  const payments = [await buyer.pay(), await buyer.pay()] as const;
  shop.facilitator.fault = cutAt("/settle");
  for (const payment of payments) expect((await buyer.send(payment)).status).toBe(503);
  await shop.chain.submitTogether(payments);
  await shop.reconcile();
  expect(await buyer.stand()).toEqual({ onChain: 19_980_000n, credits: 300, orders: ["paid", "paid"] });
});

test("no credits: the nonce is used for less, and the same transaction has a plain transfer of the price", async () => {
  const buyer = await shop.buyer();
  const nonce = newNonce();
  const payment = await buyer.pay({ authorization: { nonce } });
  const cheap = await buyer.pay({ authorization: { nonce, value: "1" } });
  const transfer = await shop.chain.transferFrom(buyer.account, 9_990_000n);
  shop.facilitator.fault = before("/settle", () => shop.chain.submitTogether([cheap], [transfer]));
  expect([402, 503]).toContain((await buyer.send(payment)).status);
  await shop.devnet.mine(3);
  await shop.reconcile();
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("already_used");
  expect(await buyer.stand()).toEqual({ onChain: 9_990_001n, credits: 0, orders: [] });
});

test("no credits: the nonce is used for a payment to somebody else while it is on its way", async () => {
  const buyer = await shop.buyer();
  const nonce = newNonce();
  const payment = await buyer.pay({ authorization: { nonce } });
  const away = await buyer.pay({ authorization: { nonce, to: (await shop.buyer()).account.address } });
  shop.facilitator.fault = before("/settle", () => shop.chain.submit(away));
  expect([402, 503]).toContain((await buyer.send(payment)).status);
  await shop.devnet.mine(3);
  await shop.reconcile();
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("already_used");
  expect((await buyer.stand()).credits).toBe(0);
});

test("no credits: a plain transfer of the price is no payment", async () => {
  const buyer = await shop.buyer();
  await shop.chain.submitTogether([], [await shop.chain.transferFrom(buyer.account, 9_990_000n)]);
  await shop.reconcile();
  expect(await buyer.stand()).toEqual({ onChain: 9_990_000n, credits: 0, orders: [] });
});

test("503, then 200: a transaction that waits to be mined", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = async ({ what, pass }) => {
    if (!what.endsWith("/settle")) return pass();
    // It is handed over, and nobody waits for its block.
    void pass().catch(() => undefined);
    return "cut";
  };
  await shop.chain.automine(false);
  const answer = await buyer.send(payment);
  expect([answer.status, answer.code]).toEqual([503, "settlement_pending"]);
  await shop.chain.automine(true);
  await shop.devnet.mine();
  shop.facilitator.fault = null;
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});
