import { afterEach, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { withFailing } from "./failing-database.ts";
import { cutAt } from "./fault-proxy.ts";
import { openShop } from "./shop.ts";

/** The process fails, or its database does, at any moment of a purchase. */

const shop = allTests(openShop);
afterEach(() => {
  shop.facilitator.fault = null;
});

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };
/** Longer than anybody's lease on a payment, and shorter than its window. */
const LEASE_SECONDS = 130;

/** The transactions of a purchase; the request's own counts are not among them. */
const TRANSACTIONS = Array.from({ length: 8 }, (_, i) => i);

test.each(TRANSACTIONS)(
  "transaction %i fails and the buyer never asks again: what it paid for, it has",
  async (nth) => {
    const buyer = await shop.buyer();
    const payment = await buyer.pay();
    await withFailing(shop.service.db, nth, () => buyer.send(payment));
    for (let round = 0; round < 3; round++) {
      await shop.pass(LEASE_SECONDS);
      await shop.reconcile();
    }
    const stand = await buyer.stand();
    expect(stand).toEqual(stand.onChain > 0n ? PAID : { onChain: 0n, credits: 0, orders: [] });
    shop.service.errors.length = 0;
  },
);

test("the reconciler fails at each of its transactions: the credits are given once in the end", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = cutAt("/settle");
  expect((await buyer.send(payment)).status).toBe(503);
  await shop.chain.submit(payment);
  for (const nth of TRANSACTIONS) {
    await withFailing(shop.service.db, nth, () => shop.reconcile().catch(() => undefined));
    await shop.pass(LEASE_SECONDS);
  }
  await shop.reconcile();
  expect(await buyer.stand()).toEqual(PAID);
  shop.service.errors.length = 0;
});

test("ten reconcilers and ten calls at once: one order", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = cutAt("/settle");
  expect((await buyer.send(payment)).status).toBe(503);
  await shop.chain.submit(payment);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? buyer.send(payment) : shop.reconcile())),
  );
  for (const answer of answers) if (answer) expect([200, 409]).toContain(answer.status);
  await shop.reconcile();
  expect(await buyer.stand()).toEqual(PAID);
});

test("the client disconnects before the response: the payment is credited", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const gone = new AbortController();
  shop.facilitator.fault = async ({ what, pass }) => {
    if (what.endsWith("/settle")) gone.abort();
    return pass();
  };
  const lost = fetch(`${shop.url}/api/v1/credits/x402`, {
    method: "POST",
    signal: gone.signal,
    headers: {
      Authorization: `Bearer ${buyer.key}`,
      "Content-Type": "application/json",
      "PAYMENT-SIGNATURE": Buffer.from(JSON.stringify(payment)).toString("base64"),
    },
    body: JSON.stringify({ pack: "basic" }),
  });
  await expect(lost).rejects.toThrow();
  // Nothing tells from outside when a call has ended that nobody waits for.
  await expect.poll(() => buyer.stand(), { timeout: 15_000 }).toEqual(PAID);
});
