import { afterEach, expect, test } from "vitest";
import { faultsOf, faultyNode, fork } from "../support/payments/chain/faulty-node.ts";
import { allTests } from "../support/service/each-test.ts";
import {
  APART,
  buy,
  customerOf,
  expectBooksOfFinalChain,
  expectStands,
  FINAL,
  grow,
  NOTHING,
  openLab,
  PAID,
  setFault,
} from "./fault-lab.ts";
import { cutAt, type Fault, says } from "./fault-proxy.ts";
import { SEND_OVER } from "./send-over-surfaces.ts";

/** Forks of three blocks, looks that one answer misleads, windows that end, and a facilitator that names another payment. */

const lab = allTests(() => openLab());
afterEach(() => {
  lab.shop.facilitator.fault = null;
  setFault(lab.shop, null);
});

const ends: readonly (readonly [name: string, isLanding: boolean])[] = [
  ["and lands again", true],
  ["for good", false],
];

test.each(ends)(
  "law: the credits are those of the final chain when a fork of three blocks removes a payment %s",
  async (_, isLanding) => {
    const { shop } = lab;
    const one = await customerOf(lab, "credited before the fork");
    await grow(shop, 3);
    await buy(lab, one);
    await fork(shop.devnet.rpcUrl, 3);
    if (isLanding) await shop.chain.submit(one.payment);
    for (let round = 0; round < 2; round++) {
      await grow(shop, FINAL + APART);
      await shop.reconcile();
    }
    await expectStands(one, isLanding ? PAID : { ...NOTHING, orders: ["failed"] });
  },
);

test("law: an order names the transaction that stands after a fork, also where a node has kept the old receipt", async () => {
  const { shop } = lab;
  const one = await customerOf(lab, "its receipt is kept");
  await grow(shop, 3);
  setFault(shop, faultyNode(faultsOf("eth_getTransactionReceipt stale")));
  await buy(lab, one);
  await fork(shop.devnet.rpcUrl, 3);
  const hash = await shop.chain.submit(one.payment);
  await grow(shop, FINAL + APART);
  await shop.reconcile();
  setFault(shop, null);
  await shop.reconcile();
  await expectStands(one, PAID);
  const { json } = await shop.request("GET", "/orders", { key: one.buyer.key });
  expect(json.orders[0].transaction.hash).toBe(hash);
});

test("law: a fork while a payment is handed over is not answered with 402, and what lands is credited", async () => {
  const { shop } = lab;
  const one = await customerOf(lab, "handed over in a fork");
  await grow(shop, 3);
  shop.facilitator.fault = async ({ what, pass }) => {
    const reply = await pass();
    if (what.endsWith("/settle")) await fork(shop.devnet.rpcUrl, 3);
    return reply;
  };
  expect(await SEND_OVER.REST(one.buyer, one.payment)).toBe("pending");
  await shop.chain.submit(one.payment);
  await shop.pass(60);
  await shop.reconcile();
  await expectStands(one, PAID);
});

test("law: a single check that finds nothing takes nothing back", async () => {
  const { shop } = lab;
  const one = await customerOf(lab, "a state that was lost for a moment");
  await buy(lab, one);
  for (let round = 0; round < 2; round++) {
    await grow(shop, FINAL + APART);
    setFault(shop, round === 0 ? faultyNode(faultsOf("eth_call zero")) : null);
    await shop.reconcile();
    await expectStands(one, PAID);
  }
});

test("law: what moved at the end of its window is never expired, though state and logs lag by two minutes", async () => {
  const { shop } = lab;
  const one = await customerOf(lab, "at the end of its window");
  shop.facilitator.fault = cutAt("/settle");
  expect(await SEND_OVER.REST(one.buyer, one.payment)).toBe("pending");
  await shop.pass(290);
  await shop.chain.submit(one.payment);
  setFault(shop, faultyNode(faultsOf("eth_call,eth_getLogs late:120s")));
  await shop.pass(75);
  await shop.reconcile();
  expect(await SEND_OVER.REST(one.buyer, one.payment)).toBe("pending");
  setFault(shop, null);
  await shop.pass(60);
  await shop.reconcile();
  await expectStands(one, PAID);
});

const LIES: readonly (readonly [name: string, lie: (hash: string, payer: string) => Fault])[] = [
  ["the hash of another's payment", (transaction, payer) => saysOfSettle({ transaction, payer })],
  ["another payer", (transaction) => saysOfSettle({ transaction, payer: `0x${"11".repeat(20)}` })],
];

test.each(LIES)("law: a facilitator that answers success with %s credits nobody", async (_, lie) => {
  const { shop } = lab;
  const [other, one] = [await customerOf(lab, "who has paid"), await customerOf(lab, "who has not")];
  const { json } = await other.buyer.send(other.payment);
  shop.facilitator.fault = lie(json.order.transaction.hash, one.buyer.account.address);
  expect(await SEND_OVER.REST(one.buyer, one.payment)).toBe("pending");
  await shop.reconcile();
  await expectStands(one, NOTHING);
  await expectStands(other, PAID);
});

test("law: what the final chain shows is credited, and nothing else", () => expectBooksOfFinalChain(lab));

function saysOfSettle(more: object): Fault {
  const { network } = lab.shop.devnet;
  return async ({ what, pass }) => (what.endsWith("/settle") ? says({ success: true, network, ...more }) : pass());
}
