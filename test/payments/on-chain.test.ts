import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Fault, says } from "./between.ts";
import { failed, idIn, NODE_FAULTS, tryEveryMoment } from "./node-faults.ts";
import { type Buyer, openShop, type Shop } from "./shop.ts";
import { encoded, newNonce, type Payment } from "./wallet.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 60_000);
afterEach(() => {
  shop.facilitator.fault = null;
  shop.rpc.fault = null;
});
afterAll(() => shop.close());

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

/** Does something of one's own while the facilitator is asked to settle. */
function atSettling(work: () => Promise<unknown>): Fault {
  return async ({ what, pass }) => {
    if (what.endsWith("/settle")) await work();
    return pass();
  };
}

function atVerifying(work: () => Promise<unknown>): Fault {
  return async ({ what, pass }) => {
    if (what.endsWith("/verify")) await work();
    return pass();
  };
}

test("200: a stranger submits the payment before the facilitator does", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = atSettling(() => shop.chain.submit(payment));
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("402 payment_invalid already_used: what was submitted before we saw it is nobody's to claim", async () => {
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
  shop.facilitator.fault = atVerifying(() => shop.chain.submit(payment));
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("402 invalid_signature: a payment that lands from elsewhere is not theirs who have not its signature", async () => {
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

test("200: a payment that lands from elsewhere is theirs who have its signature, and had sent it before", async () => {
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
  shop.facilitator.fault = atSettling(() => shop.chain.cancel(buyer.account, payment));
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
  shop.facilitator.fault = atSettling(async () => {
    shop.facilitator.fault = cutAtSettling;
    await shop.chain.submitTogether([first, second]);
  });
  // The second is claimed and journalled while its transfer is not on the chain yet.
  shop.facilitator.fault = cutAtSettling;
  expect((await other.send(second, "pro")).status).toBe(503);
  shop.facilitator.fault = atSettling(() => shop.chain.submitTogether([first, second]));
  expect((await one.send(first)).status).toBe(200);
  await shop.reconcile();
  expect(await one.stand()).toEqual(PAID);
  expect(await other.stand()).toEqual({ onChain: 29_990_000n, credits: 500, orders: ["paid"] });
});

test("200 twice: two authorizations of one wallet in one transaction, of one pack, are two payments", async () => {
  const buyer = await shop.buyer();
  const payments = [await buyer.pay(), await buyer.pay()] as const;
  shop.facilitator.fault = cutAtSettling;
  for (const payment of payments) expect((await buyer.send(payment)).status).toBe(503);
  await shop.chain.submitTogether(payments);
  await shop.reconcile();
  expect(await buyer.stand()).toEqual({ onChain: 19_980_000n, credits: 300, orders: ["paid", "paid"] });
});

test("no credits: the nonce is used for less, beside a plain transfer of the price in the same transaction", async () => {
  const buyer = await shop.buyer();
  const nonce = newNonce();
  const payment = await buyer.pay({ authorization: { nonce } });
  const cheap = await buyer.pay({ authorization: { nonce, value: "1" } });
  const transfer = await shop.chain.transferFrom(buyer.account, 9_990_000n);
  shop.facilitator.fault = atSettling(() => shop.chain.submitTogether([cheap], [transfer]));
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
  shop.facilitator.fault = atSettling(() => shop.chain.submit(away));
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
  shop.facilitator.fault = atSettling(async () => {
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
    shop.facilitator.fault = cutAtSettling;
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

test("503, then 200: logs of a node that lags are not taken for the truth", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = atSettling(async () => {
    shop.rpc.fault = withoutLogs;
  });
  await expectPending(buyer, payment);
  await shop.reconcile();
  shop.rpc.fault = null;
  expect((await buyer.send(payment)).status).toBe(200);
  expect(await buyer.stand()).toEqual(PAID);
});

test("settled, and then facilitator and node are gone: 503 for days of asking, and 200 for the same signature", async () => {
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

test("expired: what never reached the chain ends with its window, and its wallet keeps its money", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = cutAtSettling;
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

async function expectPending(buyer: Buyer, payment: Payment): Promise<void> {
  const answer = await buyer.send(payment);
  expect([answer.status, answer.code]).toEqual([503, "settlement_pending"]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.headers.get("payment-required")).toBeNull();
}

const cutAtSettling: Fault = async ({ what, pass }) => (what.endsWith("/settle") ? "cut" : pass());

const withoutLogs: Fault = async ({ body, pass }) =>
  body.includes("eth_getLogs") ? says({ jsonrpc: "2.0", id: idIn(body), result: [] }) : pass();
