import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { CLIENTS } from "../../../support/mcp/clients.ts";
import { type message, modern, paidCall, poster, toolCall } from "../../../support/mcp/post.ts";
import { beckonMcp } from "../../../support/mcp/stdio.ts";
import {
  DIRECT,
  FakeDirectPayments,
  priceOf,
  settlementOf,
  signature,
} from "../../../support/payments/fake-direct-payments.ts";
import { testService } from "../../../support/service/service.ts";
import { stateOf } from "../../../support/website/account-state.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });
const direct = new FakeDirectPayments();
const service = await testService({ config: { direct: DIRECT }, payments: { cards: null, direct } });
const { clock, db } = service;
afterAll(() => service.close());
beforeEach(() => {
  clock.pass(MINUTE);
  direct.presented.length = 0;
});
const post = poster(service.url);
const [basic, pro] = PACKS;

const ERAS = {
  "initialize era": (call: ReturnType<typeof message>, key?: string) => post(call, { key }),
  "2026-07-28": (call: ReturnType<typeof message>, key?: string) => {
    const { body, headers } = modern(call);
    return post(body, { key, headers });
  },
};

interface Result {
  readonly isError?: boolean;
  readonly content: { text: string }[];
  readonly structuredContent?: object;
  readonly _meta?: Record<string, unknown>;
}

/** That a result asks for a payment as x402 has it, with our error after it. */
function isPrice({ isError, content, structuredContent }: Result, price: object, code: string): void {
  expect(isError).toBe(true);
  expect(structuredContent).toEqual(price);
  expect(content.map(({ text }) => JSON.parse(text))).toMatchObject([price, { error: { code } }]);
  expect(content[0]!.text).toBe(JSON.stringify(structuredContent));
}

describe.each(Object.entries(ERAS))("%s", (era, send) => {
  const nonce = (text: string) => `${era}: ${text}`;

  test("the price, without a credential and with one", async () => {
    const { key } = await service.account();
    for (const [args, credential, pack] of [
      [{}, undefined, basic],
      [{ pack: "pro" }, undefined, pro],
      [{ pack: "pro" }, key, pro],
    ] as const) {
      const { status, headers, json } = await send(toolCall("pay_direct", args), credential);
      expect(status).toBe(200);
      isPrice(json.result, priceOf(pack), "direct_payment_required");
      expect(headers.get("payment-required")).toBeNull();
      expect(json.result._meta ?? {}).not.toHaveProperty(["x402/payment-response"]);
    }
    expect(direct.presented).toEqual([]);
  });

  test("a payment without a credential is answered with the price, and is not read", async () => {
    const { json } = await send(paidCall("pay_direct", { pack: "basic" }, { nonce: nonce("nobody") }));
    isPrice(json.result, priceOf(basic), "direct_payment_required");
    expect(direct.presented).toEqual([]);
  });

  test("paid: the order and its settlement; sent again, it is a replay", async () => {
    const { id, key } = await service.account({ credits: 0 });
    const call = paidCall("pay_direct", { pack: "basic" }, { nonce: nonce("paid") });
    const first = (await send(call, key)).json.result as Result;
    expect(first.structuredContent).toMatchObject({ order: { method: "evm", status: "paid" }, balance: 150 });
    expect(JSON.parse(first.content[0]!.text)).toEqual(first.structuredContent);
    expect(first._meta).toMatchObject({ "x402/payment-response": settlementOf(nonce("paid")) });
    expect(first._meta).not.toHaveProperty(["beckon/idempotent-replayed"]);

    const again = (await send(call, key)).json.result as Result;
    expect(again.content).toEqual(first.content);
    expect(again._meta).toMatchObject({
      "x402/payment-response": settlementOf(nonce("paid")),
      "beckon/idempotent-replayed": true,
    });
    expect((await stateOf(db, id)).balance).toBe(150);
  });

  test("the same payment over REST is the same payment", async () => {
    const { key } = await service.account();
    const payment = { nonce: nonce("two surfaces") };
    const { json } = await send(paidCall("pay_direct", { pack: "basic" }, payment), key);
    const headers = { "PAYMENT-SIGNATURE": signature(payment) };
    const overRest = await service.request("POST", "/credits/x402", { key, body: { pack: "basic" }, headers });
    expect([overRest.text, overRest.headers.get("idempotent-replayed")]).toEqual([json.result.content[0].text, "true"]);
  });

  test("payment_invalid: the price and the error give the reason; nothing changes", async () => {
    const { id, key } = await service.account();
    const before = await stateOf(db, id);
    const { json } = await send(paidCall("pay_direct", { pack: "basic" }, { refuse: "expired" }), key);
    isPrice(json.result, priceOf(basic, "expired"), "payment_invalid");
    expect(JSON.parse(json.result.content[1].text).error.reason).toBe("expired");
    expect(json.result._meta).toMatchObject({ "x402/payment-response": { success: false, errorReason: "expired" } });
    expect(await stateOf(db, id)).toEqual(before);
  });

  test("invalid_request: a payment too large for a header is not used", async () => {
    const { key } = await service.account();
    const { json } = await send(paidCall("pay_direct", { pack: "basic" }, { nonce: "x".repeat(10_000) }), key);
    expect(JSON.parse(json.result.content[0].text).error.code).toBe("invalid_request");
    expect([json.result.structuredContent, direct.presented]).toEqual([undefined, []]);
  });

  test.each([3, "text", [], true])("whatever stands in _meta is what is looked at: %j", async (payment) => {
    const { key } = await service.account();
    await send(paidCall("pay_direct", { pack: "basic" }, payment), key);
    const text = Buffer.from(JSON.stringify(payment)).toString("base64");
    expect(direct.presented.map((one) => one.payment)).toEqual([{ scheme: "x402", text }]);
  });

  test("403 insufficient_scope: the payment is not read", async () => {
    const { key } = await service.account({ scopes: ["read"] });
    const { status } = await send(paidCall("pay_direct", { pack: "basic" }, { nonce: nonce("no scope") }), key);
    expect([status, direct.presented]).toEqual([403, []]);
  });

  test("a payment sent with another tool is ignored", async () => {
    const { key } = await service.account();
    const { json } = await send(paidCall("get_account", {}, { nonce: "x".repeat(10_000) }), key);
    expect(json.result._meta ?? {}).not.toHaveProperty(["x402/payment-response"]);
    expect([json.result.isError, direct.presented]).toEqual([undefined, []]);
  });

  test("-32602: get_direct_price is no tool, since pay_direct answers with the price", async () => {
    expect((await send(toolCall("get_direct_price"))).json.error.code).toBe(-32602);
  });
});

test("an Authorization of the scheme Payment is no credential here, and no payment", async () => {
  const headers = { Authorization: `Payment ${signature({ nonce: "0x1" })}` };
  expect((await post(toolCall("get_account"), { headers })).status).toBe(401);
  const { json } = await post(toolCall("pay_direct"), { headers });
  isPrice(json.result, priceOf(basic), "direct_payment_required");
  expect(direct.presented).toEqual([]);
});

describe.each(Object.entries(CLIENTS))("%s at a service over stdio", (name, connect) => {
  test("gets the price, pays, and repeats the same payment", async () => {
    const { id, key } = await service.account({ credits: 0 });
    const client = await connect(beckonMcp(service.url, key));
    try {
      expect((await client.list()).map((tool) => tool.name)).toContain("pay_direct");
      isPrice(await client.call("pay_direct", { pack: "basic" }), priceOf(basic), "direct_payment_required");
      const pay = { "x402/payment": { nonce: name } };
      const first = await client.call("pay_direct", { pack: "basic" }, pay);
      expect(first._meta).toMatchObject({ "x402/payment-response": settlementOf(name) });
      const again = await client.call("pay_direct", { pack: "basic" }, pay);
      expect([again.content, again._meta?.["beckon/idempotent-replayed"]]).toEqual([first.content, true]);
      expect((await stateOf(db, id)).balance).toBe(150);
      const refused = await client.call("pay_direct", { pack: "basic" }, { "x402/payment": { refuse: "expired" } });
      isPrice(refused, priceOf(basic, "expired"), "payment_invalid");
    } finally {
      await client.close();
    }
  });
});
