import { expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import type { Buyer } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { altered, encoded, newNonce, type Payment } from "./wallet.ts";

const shop = allTests(openShop);

const BASIC = 9_990_000n;

test("200 replayed: the same payment by the same account answers the same order, and nothing else changes", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const first = await buyer.send(payment);
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
  const before = await buyer.stand();
  const settles = shop.settles();
  for (let i = 0; i < 3; i++) {
    const again = await buyer.send(payment);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get("payment-response")).toBe(first.headers.get("payment-response"));
  }
  expect([await buyer.stand(), shop.settles()]).toEqual([before, settles]);
  expect(before).toEqual({ onChain: BASIC, credits: 150, orders: ["paid"] });
});

test("200 replayed: after the window of the payment is over, and with another scope of words around it", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const first = await buyer.send(payment);
  await shop.pass(3_600);
  const again = await buyer.send({ ...payment, extensions: { note: "again" } } as Payment);
  expect([again.status, again.json.order.id]).toEqual([200, first.json.order.id]);
  expect((await buyer.stand()).credits).toBe(150);
});

/** Other bytes, the same payment. */
const COPIES: readonly (readonly [name: string, copy: (payment: Payment) => Payment])[] = [
  ["the nonce in upper case", (payment) => altered(payment, { nonce: shouted(payment, "nonce") })],
  ["the payer in upper case", (payment) => altered(payment, { from: shouted(payment, "from") })],
  [
    "the payer in lower case",
    (payment) => altered(payment, { from: payment.payload.authorization.from.toLowerCase() }),
  ],
  ["other fields beside", (payment) => ({ ...payment, extensions: { a: 1 } }) as Payment],
  ["fields in another order", (payment) => Object.fromEntries(Object.entries(payment).reverse()) as unknown as Payment],
];

test.each(COPIES)("200 replayed: by the same account with %s", async (_, copy) => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const first = await buyer.send(payment);
  const again = await buyer.send(copy(payment));
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(again.json.order.id).toBe(first.json.order.id);
  expect(await buyer.stand()).toEqual({ onChain: BASIC, credits: 150, orders: ["paid"] });
});

test.each([["as it is", (payment: Payment) => payment] as const, ...COPIES])(
  "402 payment_invalid already_used: by another account, %s",
  async (_, copy) => {
    const [buyer, thief] = await pair();
    const payment = await buyer.pay();
    await buyer.send(payment);
    const { reason } = await thief.refused({ "PAYMENT-SIGNATURE": encoded(copy(payment)) });
    expect(reason).toBe("already_used");
    expect((await buyer.stand()).credits).toBe(150);
  },
);

test("402 payment_invalid: the same payment for another pack, by the same account", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  await buyer.send(payment);
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) }, { pack: "agency" });
  expect(["already_used", "offer_mismatch"]).toContain(reason);
});

test("402 payment_invalid: another payment under a nonce that was used, by the same wallet", async () => {
  const buyer = await shop.buyer();
  const nonce = newNonce();
  await buyer.send(await buyer.pay({ authorization: { nonce } }));
  const second = await buyer.pay({ authorization: { nonce } }, "agency");
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(second) }, { pack: "agency" });
  expect(reason).toBe("already_used");
});

test("200 twice: two payments of one wallet are two orders", async () => {
  const buyer = await shop.buyer();
  const [first, second] = [await buyer.send(await buyer.pay()), await buyer.send(await buyer.pay({}, "pro"), "pro")];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await buyer.stand()).toEqual({ onChain: BASIC + 29_990_000n, credits: 650, orders: ["paid", "paid"] });
});

test("402 for a thief's altered copy, then 200 for the owner's own payment", async () => {
  const [buyer, thief] = await pair();
  const payment = await buyer.pay();
  const spoilt = altered(payment, { validBefore: String(shop.now() + 200) });
  const { reason } = await thief.refused({ "PAYMENT-SIGNATURE": encoded(spoilt) });
  expect(reason).toBe("invalid_signature");
  expect((await buyer.send(payment)).status).toBe(200);
});

test("40 copies at once by one account: one order; every other copy is a replay or has to wait", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const asked = shop.asksFacilitator();
  const answers = await Promise.all(Array.from({ length: 40 }, () => buyer.send(payment)));
  for (const { status, code, headers } of answers) {
    expect([200, 409]).toContain(status);
    if (status === 409) expect([code, Number(headers.get("retry-after"))]).toEqual(["idempotency_in_flight", 2]);
  }
  const paid = answers.filter(({ status }) => status === 200);
  expect(new Set(paid.map(({ json }) => json.order.id)).size).toBe(1);
  expect(paid.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  // Once to verify, once to settle.
  expect(shop.asksFacilitator()).toBe(asked + 2);
  expect(await buyer.stand()).toEqual({ onChain: BASIC, credits: 150, orders: ["paid"] });
  expect((await buyer.send(payment)).status).toBe(200);
});

test("40 copies at once by two accounts: one of them has the credits, once", async () => {
  const [buyer, thief] = await pair();
  const payment = await buyer.pay();
  const settles = shop.settles();
  const senders = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? buyer : thief));
  const answers = await Promise.all(senders.map((sender) => sender.send(payment)));
  for (const { status, code } of answers) {
    if (status === 402) expect(code).toBe("payment_invalid");
    else expect([200, 409]).toContain(status);
  }
  const stands = [await buyer.stand(), await thief.stand()];
  expect(stands.map(({ credits }) => credits).sort((a, b) => a - b)).toEqual([0, 150]);
  expect(stands.map(({ orders }) => orders.length).sort()).toEqual([0, 1]);
  expect(shop.settles()).toBe(settles + 1);
});

test("40 copies at once at two processes, by two accounts: one of them has the credits, once", async () => {
  const [buyer, thief] = await pair();
  const payment = await buyer.pay();
  const addresses = [shop.url, await shop.twin()];
  const settles = shop.settles();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      fetch(`${addresses[i % 2]}/api/v1/credits/x402`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${(i % 4 < 2 ? buyer : thief).key}`,
          "Content-Type": "application/json",
          "PAYMENT-SIGNATURE": encoded(payment),
        },
        body: JSON.stringify({ pack: "basic" }),
      }),
    ),
  );
  for (const { status } of answers) expect([200, 402, 409]).toContain(status);
  const credits = [await shop.creditsOf(buyer.id), await shop.creditsOf(thief.id)];
  expect(credits.sort((a, b) => a - b)).toEqual([0, 150]);
  expect(shop.settles()).toBe(settles + 1);
});

async function pair(): Promise<[Buyer, Buyer]> {
  const buyer = await shop.buyer();
  return [buyer, await shop.buyer({ account: buyer.account })];
}

function shouted({ payload }: Payment, field: "nonce" | "from"): string {
  return `0x${payload.authorization[field].slice(2).toUpperCase()}`;
}
