import { expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { openShop } from "./shop.ts";

const shop = allTests(openShop);

/** More than a chain can take back. */
const FOR_GOOD = 200;
/** Two rounds over final blocks, some blocks apart. */
async function settleDown(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await shop.devnet.mine(FOR_GOOD);
    await shop.reconcile();
  }
}

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

test("a payment that vanished with its block loses its credits, and gets them again when it is mined again", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const revert = await shop.devnet.snapshot();
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);

  await revert();
  await settleDown();
  expect(await buyer.stand()).toEqual({ onChain: 0n, credits: 0, orders: ["failed"] });

  await shop.chain.submit(payment);
  await shop.reconcile();
  expect(await buyer.stand()).toEqual(PAID);
  await settleDown();
  expect(await buyer.stand()).toEqual(PAID);
});

test("a payment that vanished and landed in another block keeps its credits, and its order names the new place", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const revert = await shop.devnet.snapshot();
  const first = await buyer.send(payment);
  expect(first.status).toBe(200);
  await revert();
  await shop.devnet.mine(2);
  const hash = await shop.chain.submit(payment);
  expect(hash).not.toBe(first.json.order.transaction.hash);
  await settleDown();
  expect(await buyer.stand()).toEqual(PAID);
  const { json } = await shop.request("GET", `/orders/${first.json.order.id}`, { key: buyer.key });
  expect(json).toMatchObject({ status: "paid", transaction: { hash } });
});

test("a payment that vanished and is sent again by its buyer is settled again, in the same order", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const revert = await shop.devnet.snapshot();
  const first = await buyer.send(payment);
  await revert();
  await settleDown();
  expect((await buyer.stand()).orders).toEqual(["failed"]);
  const again = await buyer.send(payment);
  expect([again.status, again.json.order.id]).toEqual([200, first.json.order.id]);
  expect(await buyer.stand()).toEqual(PAID);
});

test("a payment that vanished, and that its payer then cancels, stays unpaid", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const revert = await shop.devnet.snapshot();
  expect((await buyer.send(payment)).status).toBe(200);
  await revert();
  await shop.chain.cancel(buyer.account, payment);
  await shop.devnet.mine(FOR_GOOD);
  for (let round = 0; round < 3; round++) {
    await shop.reconcile();
    await shop.devnet.mine(2);
  }
  expect(await buyer.stand()).toEqual({ onChain: 0n, credits: 0, orders: ["failed"] });
  const answer = await buyer.send(payment);
  expect([answer.status, answer.reason]).toEqual([402, "already_used"]);
});

test("credits that were spent before their payment vanished leave a balance below zero", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const revert = await shop.devnet.snapshot();
  await buyer.send(payment);
  const urls = Array.from({ length: 40 }, (_, i) => `https://example.com/${i}`);
  expect((await shop.request("POST", "/projects", { key: buyer.key, body: { urls } })).status).toBe(201);
  await revert();
  await settleDown();
  expect(await buyer.stand()).toEqual({ onChain: 0n, credits: -40, orders: ["failed"] });
  const refused = await shop.request("POST", "/projects", { key: buyer.key, body: { urls } });
  expect([refused.status, refused.json.error.code]).toEqual([402, "payment_required"]);
  await shop.chain.submit(payment);
  await shop.reconcile();
  expect(await buyer.stand()).toEqual({ onChain: 9_990_000n, credits: 110, orders: ["paid"] });
});

test("503 until the payment has enough confirmations", async () => {
  const patient = await openShop({ confirmations: 3 });
  try {
    const buyer = await patient.buyer();
    const payment = await buyer.pay();
    const first = await buyer.send(payment);
    expect([first.status, first.code]).toEqual([503, "settlement_pending"]);
    expect(await buyer.stand()).toEqual({ onChain: 9_990_000n, credits: 0, orders: [] });
    await patient.devnet.mine(1);
    expect((await buyer.send(payment)).status).toBe(503);
    await patient.devnet.mine(1);
    expect((await buyer.send(payment)).status).toBe(200);
    expect(await buyer.stand()).toEqual(PAID);
  } finally {
    await patient.close();
  }
});
