import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { parsed, rawClient } from "../support/network/raw-client.ts";
import {
  DIRECT,
  FakeDirectPayments,
  priceOf,
  settlementOf,
  signature,
} from "../support/payments/fake-direct-payments.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";

const direct = new FakeDirectPayments();
const service = await testService({ config: { direct: DIRECT }, payments: { cards: null, direct } });
const { request, clock, db, url } = service;
afterAll(() => service.close());
beforeEach(() => {
  clock.pass(MINUTE);
  direct.presented.length = 0;
});

const PATH = "/credits/x402";
const [basic, pro] = PACKS;
const paid = { "PAYMENT-SIGNATURE": signature({ nonce: "0x1" }) };
const decoded = (header: string | null) => JSON.parse(Buffer.from(header!, "base64").toString());

/** That the answer is the price of a pack, and that nothing was taken for a payment. */
function isPrice({ status, headers }: { status: number; headers: Headers }, pack = basic as (typeof PACKS)[number]) {
  expect(status).toBe(402);
  expect(decoded(headers.get("payment-required"))).toEqual(priceOf(pack));
  expect(headers.get("www-authenticate")).toMatch(/^Payment id=/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(direct.presented).toEqual([]);
}

describe("GET /credits/x402", () => {
  test("402: names the price, of basic if no pack is named, in headers that any page can read", async () => {
    const answer = await request("GET", PATH);
    isPrice(answer);
    expect(answer.json.error.code).toBe("direct_payment_required");
    expect(answer.headers.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
    isPrice(await request("GET", `${PATH}?pack=pro`), pro);
  });

  test("402: HEAD is the same without a body", async () => {
    const answer = await request("HEAD", PATH);
    isPrice(answer);
    expect(answer.text).toBe("");
  });

  test("402: a signature or a credential changes nothing", async () => {
    const { key } = await service.account();
    isPrice(await request("GET", PATH, { key, headers: paid }));
    isPrice(await request("GET", PATH, { headers: { Authorization: "Payment abc" } }));
  });

  test("400 unknown_pack: the pack does not exist", async () => {
    const { status, json, headers } = await request("GET", `${PATH}?pack=gold`);
    expect([status, json.error.code, headers.get("payment-required")]).toEqual([400, "unknown_pack", null]);
  });
});

describe("POST /credits/x402 without a credential", () => {
  test("402: a request with neither a body nor Content-Type gets the price, as registries probe", async () => {
    isPrice(await request("POST", PATH));
    for (const more of [[], ["Content-Length: 0"], ["Content-Length: 0", "Content-Type: text/plain"]]) {
      const head = [`POST /api/v1${PATH} HTTP/1.1`, "Host: localhost", "Connection: close", ...more];
      const client = await rawClient(url, head);
      isPrice(parsed(await client.untilClosed()));
    }
  });

  test("402: the body chooses the pack", async () => {
    isPrice(await request("POST", PATH, { body: {} }));
    isPrice(await request("POST", PATH, { body: { pack: "pro" } }), pro);
  });

  test.each<[string, Record<string, string>]>([
    ["PAYMENT-SIGNATURE", paid],
    ["Payment-Authorization", { "Payment-Authorization": `Payment ${paid["PAYMENT-SIGNATURE"]}` }],
    ["Authorization: Payment", { Authorization: `Payment ${paid["PAYMENT-SIGNATURE"]}` }],
    ["X-PAYMENT of x402 v1", { "X-PAYMENT": paid["PAYMENT-SIGNATURE"] }],
  ])("402: a payment in %s is not read, and the price is repeated", async (_, headers) => {
    isPrice(await request("POST", PATH, { body: { pack: "basic" }, headers }));
  });

  test("400: for an unknown pack, and for a body that is not JSON", async () => {
    expect((await request("POST", PATH, { body: { pack: "gold" } })).json.error.code).toBe("unknown_pack");
    expect((await request("POST", PATH, { body: "{" })).json.error.code).toBe("invalid_request");
  });

  test("401 unauthorized: with an invalid credential; the payment is not read", async () => {
    const { status } = await request("POST", PATH, { key: "bk_test_none", body: { pack: "basic" }, headers: paid });
    expect([status, direct.presented]).toEqual([401, []]);
  });
});

describe("POST /credits/x402 with a credential", () => {
  test("402: names the price if no payment is sent; X-PAYMENT of x402 v1 counts as none", async () => {
    const { key } = await service.account();
    isPrice(await request("POST", PATH, { key, body: { pack: "pro" } }), pro);
    const headers = { "X-PAYMENT": paid["PAYMENT-SIGNATURE"] };
    isPrice(await request("POST", PATH, { key, body: { pack: "pro" }, headers }), pro);
  });

  test("200: returns the order and the state of its payment, cacheable by this client alone; repeated, it is a replay", async () => {
    const { id, key } = await service.account({ credits: 0 });
    const headers = { "PAYMENT-SIGNATURE": signature({ nonce: "0x2" }) };
    const answer = await request("POST", PATH, { key, body: { pack: "basic" }, headers });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ order: { method: "evm", status: "paid" }, balance: 150 });
    expect(decoded(answer.headers.get("payment-response"))).toEqual(settlementOf("0x2"));
    expect([answer.headers.get("payment-receipt"), answer.headers.get("idempotent-replayed")]).toEqual([null, null]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");

    const again = await request("POST", PATH, { key, body: { pack: "basic" }, headers });
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([answer.text, "true"]);
    expect((await stateOf(db, id)).balance).toBe(150);
  });

  test.each<[string, (key: string, payment: string) => Record<string, string>]>([
    [
      "Payment-Authorization beside a bearer",
      (key, payment) => ({ Authorization: `Bearer ${key}`, "Payment-Authorization": `Payment ${payment}` }),
    ],
    ["Authorization beside X-API-Key", (key, payment) => ({ "X-API-Key": key, Authorization: `Payment ${payment}` })],
  ])("200: accepts the scheme Payment in %s, and sends a receipt", async (where, headersOf) => {
    const { key } = await service.account({ credits: 0 });
    const payment = signature({ nonce: where });
    const answer = await request("POST", PATH, { body: { pack: "basic" }, headers: headersOf(key, payment) });
    expect([answer.status, answer.json.balance]).toEqual([200, 150]);
    expect(answer.headers.get("payment-receipt")).not.toBeNull();
    expect(direct.presented.map(({ payment }) => payment)).toEqual([{ scheme: "payment", text: payment }]);
  });

  test("402 payment_invalid: gives the reason, and the price again", async () => {
    const { id, key } = await service.account();
    const before = await stateOf(db, id);
    const headers = { "PAYMENT-SIGNATURE": signature({ refuse: "expired" }) };
    const { status, json, headers: said } = await request("POST", PATH, { key, body: { pack: "basic" }, headers });
    expect([status, json.error.code, json.error.reason]).toEqual([402, "payment_invalid", "expired"]);
    expect(decoded(said.get("payment-required"))).toEqual(priceOf(basic, "expired"));
    expect(await stateOf(db, id)).toEqual(before);
  });

  test.each<[string, Record<string, string>]>([
    ["two headers", { ...paid, "Payment-Authorization": "Payment abc" }],
    ["a header that is no payment", { ...paid, "Payment-Authorization": "nonsense" }],
  ])("400 invalid_request: of two payments (%s) none is used", async (_, headers) => {
    const { key } = await service.account();
    const { status, json } = await request("POST", PATH, { key, body: { pack: "basic" }, headers });
    expect([status, json.error.code, direct.presented]).toEqual([400, "invalid_request", []]);
  });

  test("400 invalid_request: of two PAYMENT-SIGNATURE headers none is used", async () => {
    const { key } = await service.account();
    const signatures = ["0x3", "0x4"].map((nonce) => `PAYMENT-SIGNATURE: ${signature({ nonce })}`);
    const head = [`POST /api/v1${PATH} HTTP/1.1`, "Host: localhost", "Connection: close", `X-API-Key: ${key}`];
    const client = await rawClient(url, [...head, ...signatures, "Content-Length: 0"]);
    const { status, json } = parsed(await client.untilClosed());
    expect([status, json.error.code, direct.presented]).toEqual([400, "invalid_request", []]);
  });

  test("400: without a pack, or with an unknown one, the payment is not read", async () => {
    const { key } = await service.account();
    expect((await request("POST", PATH, { key, headers: paid })).json.error.code).toBe("invalid_request");
    const unknown = await request("POST", PATH, { key, body: { pack: "gold" }, headers: paid });
    expect([unknown.json.error.code, direct.presented]).toEqual(["unknown_pack", []]);
  });

  test("403 insufficient_scope: the payment is not read", async () => {
    const { key } = await service.account({ scopes: ["read", "index"] });
    const { status, json } = await request("POST", PATH, { key, body: { pack: "basic" }, headers: paid });
    expect([status, json.error.required_scope, direct.presented]).toEqual([403, "purchase", []]);
  });
});

test("401 unauthorized: a payment is not accepted as a credential for other operations", async () => {
  for (const headers of [{ Authorization: "Payment abc" }, paid]) {
    expect((await request("GET", "/account", { headers })).status).toBe(401);
    expect((await request("GET", "/pricing", { headers })).status).toBe(200);
  }
});

test("201: a payment sent to another operation is ignored", async () => {
  const { key } = await service.account();
  const body = { urls: ["https://example.com/"] };
  const headers = { ...paid, "Payment-Authorization": "Payment abc" };
  const { status, headers: said } = await request("POST", "/projects", { key, body, headers });
  expect([status, said.get("payment-response"), direct.presented]).toEqual([201, null, []]);
});

test("402: a refusal of an operation that takes no payment names no price for direct payment", async () => {
  const { key } = await service.account({ paid: false });
  const { status, headers } = await request("POST", "/projects", { key, body: { urls: ["https://example.com/"] } });
  expect([status, headers.get("payment-required"), headers.get("www-authenticate")]).toEqual([402, null, null]);
});
