import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
import { allTests } from "../support/service/each-test.ts";
import { holdTimers } from "../support/service/held-timers.ts";
import { expectPending } from "./buyer.ts";
import { withHeldTimeout } from "./held-timeouts.ts";
import { Mempool } from "./mempool.ts";
import { openShop } from "./shop.ts";

/** The service is its own facilitator, and the node keeps, loses or refuses its transactions in place of mining them. */

const shop = allTests(() => openShop({ ownKey: true }));

/** After which upkeep goes on by itself, in ms (src/domain/payments/direct/facilitator/while-busy.ts). */
const UPKEEP_PAUSES = [2_000, 4_000, 8_000, 15_000];

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };
const NOTHING = { onChain: 0n, credits: 0, orders: [] };

let pool: Mempool;
beforeEach(() => {
  holdTimers(...UPKEEP_PAUSES);
  pool = new Mempool(shop.devnet);
  shop.rpc.fault = pool.fault;
});
afterEach(() => {
  shop.rpc.fault = null;
  vi.useRealTimers();
});

/** Payments of as many buyers, all of which are told that theirs is on its way. */
async function pendingPayments(count: number) {
  const buyers = await Promise.all(Array.from({ length: count }, () => shop.buyer()));
  for (const buyer of buyers) {
    const payment = await buyer.pay();
    // Nothing is mined before the test says so; nobody waits for it.
    await withHeldTimeout("settleMs", async (end) => {
      pool.onSent = end;
      await expectPending(buyer, payment);
    });
  }
  return buyers;
}

/** What the reconciler does every minute, so much later. */
async function reconcileAfter(seconds: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
  await shop.reconcile();
  await pool.mine();
  await shop.reconcile();
}

test("law: one that the node drops and 17 behind it are credited within a minute, without being asked again", async () => {
  const before = await shop.devnet.client.getTransactionCount(DEV_ACCOUNTS.facilitator);
  pool.isDropping = true;
  const [first] = await pendingPayments(1);
  pool.isDropping = false;
  const buyers = [first!, ...(await pendingPayments(17))];
  await reconcileAfter(6);
  for (const buyer of buyers) expect(await buyer.stand()).toEqual(PAID);
  expect((await shop.devnet.client.getTransactionCount(DEV_ACCOUNTS.facilitator)) - before).toBe(18);
}, 240_000);

test("law: fees that rise tenfold after three were sent: all are credited within a minute, once", async () => {
  const before = await shop.devnet.client.getTransactionCount(DEV_ACCOUNTS.facilitator);
  pool.baseFee = 1_000_000_000n;
  const buyers = await pendingPayments(3);
  pool.baseFee = 10_000_000_000n;
  await pool.mine();
  for (const buyer of buyers) expect(await buyer.stand()).toEqual(NOTHING);
  await reconcileAfter(1);
  for (const buyer of buyers) expect(await buyer.stand()).toEqual(PAID);
  expect((await shop.devnet.client.getTransactionCount(DEV_ACCOUNTS.facilitator)) - before).toBe(3);
}, 120_000);

test("503 unavailable, then 200: gas is dearer than X402_MAX_GAS_GWEI, and nothing is handed over", async () => {
  pool.baseFee = 200_000_000_000n;
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const { status, code, headers, json } = await buyer.send(payment);
  expect([status, code, headers.get("retry-after")]).toEqual([503, "unavailable", "60"]);
  expect([headers.get("payment-required"), headers.get("www-authenticate")]).toEqual([null, null]);
  expect(json.error.message).not.toContain("X402");
  expect([await buyer.stand(), pool.sent]).toEqual([NOTHING, []]);
  shop.rpc.fault = null;
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("a node that drops transactions for a while, also when they are sent again: credited once it keeps them", async () => {
  const buyers = await pendingPayments(2);
  pool.isDropping = true;
  for (let round = 0; round < 3; round++) {
    pool.lose(DEV_ACCOUNTS.facilitator.address);
    await reconcileAfter(60);
  }
  for (const buyer of buyers) expect(await buyer.stand()).toEqual(NOTHING);
  pool.isDropping = false;
  await reconcileAfter(60);
  for (const buyer of buyers) expect(await buyer.stand()).toEqual(PAID);
}, 120_000);
