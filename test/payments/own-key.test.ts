import { afterEach, expect, test, vi } from "vitest";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
import { allTests } from "../support/service/each-test.ts";
import { holdTimers } from "../support/service/held-timers.ts";
import { withHeldTimeout } from "./held-timeouts.ts";
import { NODE_FAULTS, tryEveryMoment } from "./node-faults.ts";
import { openShop } from "./shop.ts";
import { altered, encoded, highS, newNonce, newWallet, resigned } from "./wallet.ts";

/** The service is its own facilitator: what it asks of the node goes wrong at any moment of a purchase. */

// On a slow machine, too, nothing is given up before it is done, unless a test says so.
vi.mock("../../src/platform/time-limit.ts", () => ({ within: <T>(work: Promise<T>) => work }));
/** How long the node may take for one answer, in ms (src/domain/payments/direct/chain/evm-rpc.ts). */
const RPC_LIMIT = 5_000;

const shop = allTests(() => openShop({ ownKey: true }));
afterEach(() => {
  shop.rpc.fault = null;
});

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };
const NOTHING = { onChain: 0n, credits: 0, orders: [] };

test("200, and replayed: the service pays the gas itself", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  expect((await buyer.send(payment)).status).toBe(200);
  expect((await buyer.send(payment)).headers.get("idempotent-replayed")).toBe("true");
  expect(await buyer.stand()).toEqual(PAID);
  expect(shop.asksFacilitator()).toBe(0);
});

test("20 payments at once of 20 buyers, and 20 copies of each of two: each once", { timeout: 240_000 }, async () => {
  holdTimers(RPC_LIMIT);
  const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.buyer()));
  const payments = await Promise.all(buyers.map((buyer) => buyer.pay()));
  const answers = await Promise.all(buyers.map((buyer, i) => buyer.send(payments[i])));
  expect(answers.map(({ status }) => status)).toEqual(buyers.map(() => 200));
  for (const buyer of buyers) expect(await buyer.stand()).toEqual(PAID);
  const twins = [await shop.buyer(), await shop.buyer()] as const;
  const two = [await twins[0].pay(), await twins[1].pay()] as const;
  const copies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => twins[i % 2 === 0 ? 0 : 1].send(two[i % 2 === 0 ? 0 : 1])),
  );
  for (const { status } of copies) expect([200, 409]).toContain(status);
  for (const buyer of twins) expect(await buyer.stand()).toEqual(PAID);
});

test("402 payment_invalid: payments that a facilitator refuses", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const { signature } = payment.payload;
  const wrong = [
    altered(payment, { nonce: newNonce() }),
    resigned(payment, `0x${"00".repeat(65)}`),
    resigned(payment, highS(signature)),
    await buyer.pay({ signer: newWallet() }),
    await buyer.pay({ domain: { chainId: 1 } }),
  ];
  for (const one of wrong) await buyer.refused({ "PAYMENT-SIGNATURE": encoded(one) });
  const poor = await shop.buyer({ dollars: 1 });
  const { reason } = await poor.refused({ "PAYMENT-SIGNATURE": encoded(await poor.pay()) });
  expect(reason).toBe("insufficient_funds");
});

test.each(NODE_FAULTS)(
  "law: at whichever question the node %s, nobody pays twice or for nothing",
  {
    timeout: 240_000,
  },
  (_, fault, isLasting) => tryEveryMoment(shop, fault, isLasting),
);

test("503, then 200: its account has no gas at first", async () => {
  const { client } = shop.devnet;
  const { address } = DEV_ACCOUNTS.facilitator;
  const before = await client.getBalance({ address });
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  await client.setBalance({ address, value: 1n });
  const answer = await buyer.send(payment);
  await client.setBalance({ address, value: before });
  expect([answer.status, await buyer.stand()]).toEqual([503, NOTHING]);
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("503, then 200: its transaction waits to be mined, and is not sent twice", () =>
  withHeldTimeout("settleMs", async (end) => {
    const { client } = shop.devnet;
    const buyer = await shop.buyer();
    const payment = await buyer.pay();
    const sent = async () =>
      client.getTransactionCount({ address: DEV_ACCOUNTS.facilitator.address, blockTag: "pending" });
    const before = await sent();
    await shop.chain.automine(false);
    shop.rpc.fault = async ({ body, pass }) => {
      const reply = await pass();
      if (body.includes("eth_sendRawTransaction")) end();
      return reply;
    };
    const answer = await buyer.send(payment);
    expect([answer.status, answer.code]).toEqual([503, "settlement_pending"]);
    await shop.chain.automine(true);
    await shop.devnet.mine();
    expect((await buyer.send(payment)).status).toBe(200);
    expect([await buyer.stand(), (await sent()) - before]).toEqual([PAID, 1]);
  }));
