import { beforeAll, expect, test } from "vitest";
import { parsed, rawClient } from "../support/network/raw-client.ts";
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

test("402 direct_payment_required: a credential of the scheme Payment without an account is not submitted", () =>
  untouched(async () => {
    const credential = await buyer.payByChallenge();
    for (const header of ["Payment-Authorization", "Authorization"]) {
      const answer = await post({ [header]: `Payment ${credential}` });
      expect([answer.status, answer.json.error.code]).toEqual([402, "direct_payment_required"]);
      expectPrice(answer.headers, "9990000");
    }
  }));

test("401: a signature with an invalid key is not submitted", () =>
  untouched(async (payment) => {
    for (const key of ["bk_test_nobody", "beckon_at_nobody", "x"]) {
      const answer = await post({ "PAYMENT-SIGNATURE": encoded(payment), Authorization: `Bearer ${key}` });
      expect([answer.status, answer.json.error.code]).toEqual([401, "unauthorized"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
      expect(answer.headers.get("payment-required")).toBeNull();
    }
  }));

test("401: a signature with a token that has expired is not submitted", async () => {
  const { user, email } = await signedIn(shop.service, { paid: false });
  const { tokens } = await connectedAgent(shop.service, { user, email });
  await untouched(async (payment) => {
    await shop.pass(3_700);
    const answer = await post({
      "PAYMENT-SIGNATURE": encoded(payment),
      Authorization: `Bearer ${tokens.access_token}`,
    });
    expect([answer.status, answer.json.error.code]).toEqual([401, "unauthorized"]);
  });
});

test("401: a signature with a key that was revoked is not submitted", async () => {
  const gone = await shop.buyer();
  await gone.revoke();
  await untouched(async (payment) => {
    const answer = await post({ "PAYMENT-SIGNATURE": encoded(payment), Authorization: `Bearer ${gone.key}` });
    expect(answer.status).toBe(401);
  }, gone);
});

test("403 insufficient_scope: a signature with a key that may not purchase is not submitted", async () => {
  const reader = await shop.buyer({ scopes: ["read", "index"] });
  await untouched(async (payment) => {
    const answer = await post({ "PAYMENT-SIGNATURE": encoded(payment) }, reader);
    expect([answer.status, answer.json.error]).toMatchObject([
      403,
      { code: "insufficient_scope", required_scope: "purchase" },
    ]);
  }, reader);
});

test("402: GET answers the price and takes no signature, with a credential and without", () =>
  untouched(async (payment) => {
    for (const key of [undefined, buyer.key]) {
      const headers = { "PAYMENT-SIGNATURE": encoded(payment) };
      const answer = await shop.request("GET", PATH, { key, headers });
      expect([answer.status, answer.json.error.code]).toEqual([402, "direct_payment_required"]);
      expectPrice(answer.headers, "9990000");
    }
  }));

test("402 direct_payment_required: the header of x402 version 1 is not accepted", () =>
  untouched(async (payment) => {
    const answer = await post({ "X-PAYMENT": encoded({ ...payment, x402Version: 1 }) }, buyer);
    expect([answer.status, answer.json.error.code]).toEqual([402, "direct_payment_required"]);
    expectPrice(answer.headers, "9990000");
  }));

test("400 invalid_request: two payments in one request, by whatever two headers, and none is used", async () => {
  const credential = await buyer.payByChallenge();
  await untouched(async (payment) => {
    const signature = { "PAYMENT-SIGNATURE": encoded(payment) };
    const pairs = [
      { ...signature, "Payment-Authorization": `Payment ${credential}` },
      { ...signature, Authorization: `Payment ${credential}`, "X-API-Key": buyer.key },
      {
        "Payment-Authorization": `Payment ${credential}`,
        Authorization: `Payment ${credential}`,
        "X-API-Key": buyer.key,
      },
    ];
    for (const headers of pairs) {
      const own = "Authorization" in headers ? null : buyer;
      const answer = await post(headers, own);
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_request"]);
    }
  });
});

test("400 invalid_request: PAYMENT-SIGNATURE twice with two values, and none is used", async () => {
  const [one, other] = [await buyer.pay(), await buyer.pay()];
  const answer = await raw([`PAYMENT-SIGNATURE: ${encoded(one)}`, `PAYMENT-SIGNATURE: ${encoded(other)}`]);
  expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_request"]);
  expect(await buyer.stand()).toEqual({ onChain: 0n, credits: 0, orders: [] });
});

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

test("an Idempotency-Key does not join payments: two payments with the same key are two orders", async () => {
  const own = await shop.buyer();
  for (let i = 0; i < 2; i++) {
    const payment = { "PAYMENT-SIGNATURE": encoded(await own.pay()) };
    const answer = await post({ ...payment, "Idempotency-Key": "one" }, own);
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([200, null]);
  }
  expect((await own.stand()).credits).toBe(300);
});

test("a signature sent with another operation is ignored", () =>
  untouched(async (payment) => {
    const headers = { "PAYMENT-SIGNATURE": encoded(payment) };
    const urls = ["https://example.com/"];
    const unpaid = await shop.request("POST", "/projects", { key: buyer.key, body: { urls }, headers });
    expect([unpaid.status, unpaid.json.error.code]).toEqual([402, "payment_required"]);
    expect(unpaid.headers.get("payment-required")).toBeNull();
    expect((await shop.request("GET", "/account", { key: buyer.key, headers })).status).toBe(200);
  }));

test("200: the account in X-API-Key, the payment in PAYMENT-SIGNATURE", async () => {
  const own = await shop.buyer();
  const payment = await own.pay();
  const answer = await post({ "PAYMENT-SIGNATURE": encoded(payment), "X-API-Key": own.key });
  expect(answer.status).toBe(200);
  expect(await own.stand()).toEqual({ onChain: 9_990_000n, credits: 150, orders: ["paid"] });
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

/** As no client of HTTP sends it. */
async function raw(lines: readonly string[]) {
  const body = JSON.stringify({ pack: "basic" });
  const { hostname, port } = new URL(shop.url);
  const client = await rawClient(shop.url, [
    `POST /api/v1${PATH} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${buyer.key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
    ...lines,
  ]);
  client.socket.write(body);
  return parsed(await client.untilClosed());
}
