import { afterEach, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { expectPending } from "./buyer.ts";
import { before, cutAt, type Fault, says } from "./fault-proxy.ts";
import { failed, idIn, NODE_FAULTS, tryEveryMoment } from "./node-faults.ts";
import { openShop } from "./shop.ts";
import { encoded } from "./wallet.ts";

/** The node that says what stands on the chain is away, lags, or answers nonsense. */

const shop = allTests(openShop);
afterEach(() => {
  shop.facilitator.fault = null;
  shop.rpc.fault = null;
});

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

/** The ways in which a node does not answer a question. */
const DOWN: readonly (readonly [name: string, fault: Fault])[] = [
  ["cut off", async () => "cut"],
  ["answering 500", async () => says({}, 500)],
  ["answering 429", async () => says({}, 429)],
  ["answering a page", async () => ({ status: 200, body: "<html>rate limited</html>" })],
  ["answering null", async () => says(null)],
  ["answering with an error", async ({ body }) => says(failed(body))],
  ["answering with nothing in it", async ({ body }) => says({ jsonrpc: "2.0", id: idIn(body), result: null })],
  ["answering with the wrong type", async ({ body }) => says({ jsonrpc: "2.0", id: idIn(body), result: "0x" })],
];

test.each(DOWN)("503 unavailable: the node is %s before anything is handed over", async (_, fault) => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const settles = shop.settles();
  shop.rpc.fault = fault;
  const answer = await buyer.send(payment);
  expect([answer.status, answer.code]).toEqual([503, "unavailable"]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.headers.get("payment-required")).toBeNull();
  expect(shop.settles()).toBe(settles);
  shop.rpc.fault = null;
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test.each(DOWN)("503 settlement_pending: the node is %s once it is handed over; then 200", async (_, fault) => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = before("/settle", async () => {
    shop.rpc.fault = fault;
  });
  await expectPending(buyer, payment);
  await expectPending(buyer, payment);
  await shop.reconcile().catch(() => undefined);
  shop.rpc.fault = null;
  const answer = await buyer.send(payment);
  expect([answer.status, answer.code]).toEqual([200, null]);
  expect(await buyer.stand()).toEqual(PAID);
});

test.each(DOWN)(
  "the node is %s for the reconciler: nothing is given up, and credited once it answers",
  async (_, fault) => {
    const buyer = await shop.buyer();
    const payment = await buyer.pay();
    shop.facilitator.fault = cutAt("/settle");
    await expectPending(buyer, payment);
    await shop.chain.submit(payment);
    shop.rpc.fault = fault;
    await shop.reconcile().catch(() => undefined);
    expect((await buyer.stand()).credits).toBe(0);
    shop.rpc.fault = null;
    await shop.reconcile();
    expect(await buyer.stand()).toEqual(PAID);
  },
);

test("503, then 200: missing logs of a lagging node are not believed", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = before("/settle", async () => {
    shop.rpc.fault = withoutLogs;
  });
  await expectPending(buyer, payment);
  await shop.reconcile();
  shop.rpc.fault = null;
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("503 for days, then 200: settled, and then facilitator and node are unreachable", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = async ({ what, pass }) => {
    if (!what.endsWith("/settle")) return pass();
    await pass();
    shop.facilitator.fault = async () => "cut";
    shop.rpc.fault = async () => "cut";
    return "cut";
  };
  await expectPending(buyer, payment);
  await shop.reconcile().catch(() => undefined);
  await shop.pass(2 * 86_400);
  await expectPending(buyer, payment);
  shop.rpc.fault = null;
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("expired: a payment that never reached the chain ends with its validity, and the wallet keeps its money", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = cutAt("/settle");
  await expectPending(buyer, payment);
  await shop.pass(400);
  await shop.reconcile();
  shop.facilitator.fault = null;
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("expired");
  await expect(shop.chain.submit(payment)).rejects.toThrow();
});

test.each(NODE_FAULTS)(
  "law: at whichever question the node %s, nobody pays twice or for nothing",
  {
    timeout: 240_000,
  },
  (_, fault, isLasting) => tryEveryMoment(shop, fault, isLasting),
);

const withoutLogs: Fault = async ({ body, pass }) =>
  body.includes("eth_getLogs") ? says({ jsonrpc: "2.0", id: idIn(body), result: [] }) : pass();
