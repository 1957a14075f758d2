import { beforeAll, expect, test } from "vitest";
import { connectedAgent } from "../support/oauth/agent.ts";
import { allTests } from "../support/service/each-test.ts";
import { signedIn } from "../support/website/user.ts";
import { type Buyer, expectPrice, untouchedBy } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { decoded, encoded, type Payment } from "./wallet.ts";

const shop = allTests(openShop);
let buyer: Buyer;
beforeAll(async () => {
  buyer = await shop.buyer();
});

const PATH = "/credits/x402";

const untouched = (attempt: (payment: Payment) => Promise<void>, owner = buyer) => untouchedBy(owner, attempt);

test("402 direct_payment_required: a signature without a credential is not submitted", () =>
  untouched(async (payment) => {
    const answer = await post({ "PAYMENT-SIGNATURE": encoded(payment) });
    expect([answer.status, answer.json.error.code]).toEqual([402, "direct_payment_required"]);
    expectPrice(answer.headers, "9990000");
  }));

test("402 payment_invalid: two values in one PAYMENT-SIGNATURE", async () => {
  const [one, other] = [await buyer.pay(), await buyer.pay()];
  const answer = await buyer.refused({ "PAYMENT-SIGNATURE": `${encoded(one)}, ${encoded(other)}` });
  expect(answer.reason).toBe("malformed");
});

test("a signature in a request that cannot be read is not submitted", () =>
  untouched(async (payment) => {
    const headers = { "PAYMENT-SIGNATURE": encoded(payment) };
    const attempts = [
      [400, { body: "{pack" }],
      [413, { body: JSON.stringify({ pack: "basic", padding: "x".repeat(300_000) }) }],
      [415, { body: "pack=basic", headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" } }],
    ] as const;
    for (const [status, more] of attempts) {
      const answer = await shop.request("POST", PATH, { key: buyer.key, headers, ...more });
      expect(answer.status).toBe(status);
    }
  }));

test("431: a header of 40 KB is refused before it is read", async () => {
  const before = await buyer.stand();
  const answer = await fetch(`${shop.url}/api/v1${PATH}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${buyer.key}`, "PAYMENT-SIGNATURE": "A".repeat(40_000) },
  });
  expect(answer.status).toBe(431);
  expect(await buyer.stand()).toEqual(before);
});

test("an Idempotency-Key does not join payments: two payments with the same key are two orders", async () => {
  const own = await shop.buyer();
  for (let i = 0; i < 2; i++) {
    const payment = { "PAYMENT-SIGNATURE": encoded(await own.pay()) };
    const answer = await post({ ...payment, "Idempotency-Key": "one" }, own);
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([200, null]);
  }
  expect((await own.stand()).credits).toBe(300);
});

test("200: whoever signs, the account of the credential has the credits", async () => {
  const { user, email, accountId } = await signedIn(shop.service, { paid: false });
  const { tokens } = await connectedAgent(shop.service, { user, email });
  const wallet = await shop.buyer();
  const answer = await post({
    "PAYMENT-SIGNATURE": encoded(await wallet.pay()),
    Authorization: `Bearer ${tokens.access_token}`,
  });
  expect(answer.status).toBe(200);
  expect(await shop.creditsOf(accountId)).toBe(150);
  expect((await wallet.stand()).credits).toBe(0);
});

test("200 answers the order, the balance and the settlement, with no-store", async () => {
  const own = await shop.buyer();
  const answer = await own.send(await own.pay({}, "pro"), "pro");
  const { transaction, network, payer, success } = decoded(answer.headers.get("payment-response"));
  expect([success, network, payer.toLowerCase()]).toEqual([true, "eip155:31337", own.account.address.toLowerCase()]);
  expect(await shop.chain.succeeded(transaction)).toBe(true);
  expect(answer.json).toMatchObject({
    order: {
      object: "order",
      id: expect.stringMatching(/^ord_/),
      pack: "pro",
      credits: 500,
      amount_cents: 2999,
      currency: "usd",
      method: "evm",
      status: "paid",
      checkout_url: null,
      transaction: { network, hash: transaction, payer, amount: "29990000" },
    },
    balance: 500,
  });
  expect(answer.headers.get("cache-control")).toMatch(/private/);
  expect(answer.headers.get("cache-control")).toMatch(/no-store/);
  const listed = await shop.request("GET", "/orders", { key: own.key });
  expect(listed.json.orders).toEqual([answer.json.order]);
});

test("200: credits go to the account also when its key is revoked while the payment is on its way", async () => {
  const own = await shop.buyer();
  const payment = await own.pay();
  shop.facilitator.fault = async ({ what, pass }) => {
    const reply = await pass();
    if (what.endsWith("/settle")) await own.revoke();
    return reply;
  };
  const answer = await own.send(payment);
  shop.facilitator.fault = null;
  expect([200, 503]).toContain(answer.status);
  await shop.reconcile();
  expect(await own.stand()).toEqual({ onChain: 9_990_000n, credits: 150, orders: ["paid"] });
  expect((await own.send(payment)).status).toBe(401);
});

test("200: credits go to the account also when its scope is taken away while the payment is on its way", async () => {
  const own = await shop.buyer();
  const payment = await own.pay();
  shop.facilitator.fault = async ({ what, pass }) => {
    if (what.endsWith("/settle")) await shop.narrow(own.id, ["read"]);
    return pass();
  };
  const answer = await own.send(payment);
  shop.facilitator.fault = null;
  expect([200, 503]).toContain(answer.status);
  await shop.reconcile();
  expect(await own.stand()).toEqual({ onChain: 9_990_000n, credits: 150, orders: ["paid"] });
  expect((await own.send(payment)).status).toBe(403);
});

function post(headers: Record<string, string>, by: Buyer | null = null) {
  return shop.request("POST", PATH, { key: by?.key, body: { pack: "basic" }, headers });
}
