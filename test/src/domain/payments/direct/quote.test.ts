import { decodePaymentRequiredHeader } from "@x402/core/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DirectPayments } from "../../../../../src/domain/payments/direct/direct-payments.ts";
import type { Requirements } from "../../../../../src/domain/payments/direct/protocol/x402.ts";
import { X402Payments } from "../../../../../src/domain/payments/direct/x402-payments.ts";
import { PACK_IDS } from "../../../../../src/domain/payments/orders/packs.ts";
import type { Payments } from "../../../../../src/domain/payments/payments.ts";
import { readConfig } from "../../../../../src/platform/config/config.ts";
import { DIRECT } from "../../../../support/payments/direct-world.ts";
import { MemoryChain } from "../../../../support/payments/memory-chain.ts";
import { credentialOf, parametersOf, presentCredential } from "../../../../support/payments/memory-credential.ts";
import { MemoryFacilitator } from "../../../../support/payments/memory-facilitator.ts";
import { CHAIN } from "../../../../support/payments/memory-token.ts";
import { asHeader, MemoryWallet } from "../../../../support/payments/memory-wallet.ts";
import type { ApiRequestOptions } from "../../../../support/service/request.ts";
import { type TestService, testService } from "../../../../support/service/service.ts";

/** get_direct_price and pay_direct over REST. */
const ADDRESS = "/credits/x402";
const wallet = new MemoryWallet("buyer");
const config = readConfig({ SITE_URL: "http://beckon.test", ...DIRECT });

let service: TestService;
let facilitator: MemoryFacilitator;
let buyer: { id: string; key: string };
beforeAll(async () => {
  const late: Payments & { direct: DirectPayments | null } = { cards: null, direct: null };
  service = await testService({ config: { direct: config.direct }, payments: late });
  const chain = new MemoryChain(service.clock);
  chain.fund(wallet.address, 10n ** 12n);
  facilitator = new MemoryFacilitator(chain);
  const log = { info() {}, warn() {}, error() {} };
  const { db, clock } = service;
  const deps = { db, clock, config: service.config, log, settings: config.direct!, chain, facilitator };
  late.direct = new X402Payments({ ...deps, domain: async () => CHAIN.domain });
  buyer = await service.account({ paid: false, credits: 0 });
});
afterAll(() => service.close());

const get = (query = "", more: ApiRequestOptions = {}) => service.request("GET", `${ADDRESS}${query}`, more);
const post = (body: unknown, more: ApiRequestOptions = {}) => service.request("POST", ADDRESS, { body, ...more });
type Answer = Awaited<ReturnType<typeof get>>;
const priceIn = ({ headers }: Answer) => decodePaymentRequiredHeader(headers.get("payment-required")!);
const sign = async (pack = "basic") => {
  const [offer] = priceIn(await get(`?pack=${pack}`)).accepts;
  return asHeader(wallet.pay(offer as unknown as Requirements, service.clock.now()));
};
const key = () => ({ key: buyer.key });

/** That an answer asks for a payment, whoever made the call. */
function isPrice(answer: Answer, pack: string): void {
  const { status, headers, json } = answer;
  expect([status, json.error.code, json.error.pack]).toEqual([402, "direct_payment_required", pack]);
  const [offer] = priceIn(answer).accepts;
  expect(json.error).toMatchObject({ amount: offer!.amount, network: CHAIN.network, pay_to: CHAIN.payTo });
  expect([json.error.currency, headers.get("cache-control")]).toEqual([CHAIN.asset, "no-store"]);
  expect(headers.get("www-authenticate")).toMatch(/^Payment id="/);
  expect(json.error.message).toMatch(/^\d+ credits \(pack \w+\) cost \$[\d.]+\. Sign the offer/);
}

describe("402: the price, without any charge", () => {
  test.each(PACK_IDS)("GET %s", async (pack) => isPrice(await get(`?pack=${pack}`), pack));
  test("GET without a pack is basic", async () => isPrice(await get(), "basic"));
  test("GET with a credential", async () => isPrice(await get("", key()), "basic"));
  test("POST without a credential", async () => isPrice(await post({ pack: "pro" }), "pro"));
  test("POST with neither credential nor body is basic", async () => isPrice(await post(undefined), "basic"));
  test("POST with a credential and no payment", async () => isPrice(await post({ pack: "agency" }, key()), "agency"));

  test("a payment without a credential, or with the request for the price, is not read", async () => {
    const headers = { "PAYMENT-SIGNATURE": await sign() };
    isPrice(await post({ pack: "basic" }, { headers }), "basic");
    isPrice(await get("", { ...key(), headers }), "basic");
    expect(facilitator.verified).toEqual([]);
  });
});

describe("400", () => {
  test.each([["?pack=free"], ["?pack="], ["?pack=__proto__"]])("unknown_pack: GET %s", async (query) => {
    const { status, json } = await get(query);
    expect([status, json.error.code]).toEqual([400, "unknown_pack"]);
  });

  test.each([
    ["unknown_pack", { pack: "free" }],
    ["invalid_request", {}],
    ["invalid_request", { pack: ["basic"] }],
    ["invalid_request", { pack: null }],
  ])("%s: POST %o with a credential", async (code, body) => {
    const { status, json } = await post(body, { ...key(), headers: { "PAYMENT-SIGNATURE": await sign() } });
    expect([status, json.error.code]).toEqual([400, code]);
  });
});

test("200: it pays, and the answer is not cached; the same again is a replay", async () => {
  const headers = { "PAYMENT-SIGNATURE": await sign("pro") };
  const { status, json, headers: said } = await post({ pack: "pro" }, { ...key(), headers });
  expect([status, json.balance, json.order.status, json.order.method]).toEqual([200, 500, "paid", "evm"]);
  expect(said.get("cache-control")).toBe("private, no-store");
  expect(JSON.parse(atob(said.get("payment-response")!)).transaction).toBe(json.order.transaction.hash);
  expect([said.get("idempotent-replayed"), said.get("payment-receipt")]).toEqual([null, null]);
  const again = await post({ pack: "pro" }, { ...key(), headers });
  expect([again.json, again.headers.get("idempotent-replayed")]).toEqual([json, "true"]);
  const { json: account } = await service.request("GET", "/account", key());
  expect([account.credits, account.paid]).toEqual([500, true]);
});

describe("200: with the scheme Payment", () => {
  const credential = async () => {
    const challenge = parametersOf((await get()).headers.get("www-authenticate")!);
    return `Payment ${presentCredential(credentialOf(challenge, wallet)).text}`;
  };

  test("with the bearer token, in the header that the challenge names", async () => {
    const { status, headers } = await post(
      { pack: "basic" },
      { ...key(), headers: { "Payment-Authorization": await credential() } },
    );
    expect([status, headers.get("payment-receipt")]).toEqual([200, expect.stringMatching(/^[\w-]+$/)]);
  });

  test("in Authorization, if the account's key is in X-API-Key", async () => {
    const headers = { Authorization: await credential(), "X-API-Key": buyer.key };
    expect((await post({ pack: "basic" }, { headers })).status).toBe(200);
  });
});

test("402 payment_invalid: the reason, and a new price", async () => {
  const answer = await post({ pack: "agency" }, { ...key(), headers: { "PAYMENT-SIGNATURE": await sign("basic") } });
  expect([answer.status, answer.json.error.code, answer.json.error.reason]).toEqual([
    402,
    "payment_invalid",
    "offer_mismatch",
  ]);
  expect(priceIn(answer)).toMatchObject({ error: "offer_mismatch", accepts: [{ amount: "149990000" }] });
});

test("404 direct_payment_disabled: both addresses, if it is not configured", async () => {
  const without = await testService();
  const { key } = await without.account();
  for (const [method, more] of [
    ["GET", {}],
    ["POST", { body: { pack: "basic" } }],
    ["POST", { key, body: { pack: "basic" }, headers: { "PAYMENT-SIGNATURE": await sign() } }],
  ] as const) {
    const response = await fetch(`${without.url}/api/v1${ADDRESS}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...("key" in more ? { Authorization: `Bearer ${more.key}`, ...more.headers } : {}),
      },
      ...("body" in more ? { body: JSON.stringify(more.body) } : {}),
    });
    const { error } = (await response.json()) as { error: { code: string } };
    expect([response.status, error.code]).toEqual([404, "direct_payment_disabled"]);
  }
  await without.close();
});
