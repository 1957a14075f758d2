import { afterEach, beforeAll, expect, test } from "vitest";
import { message, poster } from "../support/mcp/post.ts";
import { allTests } from "../support/service/each-test.ts";
import { says } from "./fault-proxy.ts";
import { openShop } from "./shop.ts";
import type { Payment, Price } from "./wallet.ts";

/** x402 over MCP (specs/transports-v2/mcp.md): the payment is in `_meta`, the price in the result. */

const shop = allTests(openShop);
let post: ReturnType<typeof poster>;
beforeAll(async () => {
  post = poster(shop.url);
});
afterEach(() => {
  shop.facilitator.fault = null;
});

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
type Result = any;

async function call(key: string | undefined, payment?: unknown, pack: unknown = "basic") {
  const meta = payment === undefined ? {} : { _meta: { "x402/payment": payment } };
  const answer = await post(message("tools/call", { name: "pay_direct", arguments: { pack }, ...meta }), { key });
  return { ...answer, result: (answer.json?.result ?? null) as Result };
}

function errorIn({ content }: Result): Result {
  return JSON.parse(content.at(-1).text).error;
}

test("200: the price in the result, the payment in _meta, the settlement in _meta", async () => {
  const buyer = await shop.buyer();
  const { result: asking } = await call(buyer.key);
  expect(asking.isError).toBe(true);
  const price: Price = asking.structuredContent;
  expect(JSON.parse(asking.content[0].text)).toEqual(price);
  expect(price.accepts).toEqual((await buyer.price()).accepts);
  const { result } = await call(buyer.key, await buyer.pay());
  expect(result.isError).not.toBe(true);
  expect(result.structuredContent).toMatchObject({ balance: 150, order: { status: "paid", method: "evm" } });
  expect(result._meta["x402/payment-response"]).toMatchObject({
    success: true,
    transaction: result.structuredContent.order.transaction.hash,
  });
  expect(await buyer.stand()).toEqual(PAID);
});

test("40 copies at once over both surfaces: one order", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  const settles = shop.settles();
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? call(buyer.key, payment) : buyer.send(payment))),
  );
  expect(shop.settles()).toBe(settles + 1);
  expect(await buyer.stand()).toEqual(PAID);
});

test.each([
  ["100 KB", (payment: Payment) => ({ ...payment, padding: "x".repeat(100_000) })],
  ["nested 40,000 deep", () => JSON.parse(`${"[".repeat(40_000)}${"]".repeat(40_000)}`)],
])("a payment of %s is refused, and is no failure of ours", async (_, spoil) => {
  const buyer = await shop.buyer();
  const text = textOf(spoil(await buyer.pay()));
  const asked = shop.asksFacilitator();
  const body = JSON.stringify(message("tools/call", { name: "pay_direct", arguments: { pack: "basic" }, _meta: 0 }));
  const answer = await post(body.replace('"_meta":0', `"_meta":{"x402/payment":${text}}`), { key: buyer.key });
  expect(answer.status).toBeLessThan(500);
  expect(answer.json.result?.isError ?? answer.json.error !== undefined).toBe(true);
  expect(answer.text).not.toMatch(/\binternal\b/);
  expect([shop.asksFacilitator(), shop.service.errors]).toEqual([asked, []]);
});

test("settlement_pending demands no payment, and the same payment succeeds later", async () => {
  const buyer = await shop.buyer();
  const payment = await buyer.pay();
  shop.facilitator.fault = async ({ what, pass }) => (what.endsWith("/settle") ? says({}, 500) : pass());
  const { result } = await call(buyer.key, payment);
  expect([result.isError, errorIn(result).code, result.structuredContent]).toEqual([
    true,
    "settlement_pending",
    undefined,
  ]);
  shop.facilitator.fault = null;
  expect((await call(buyer.key, payment)).result.structuredContent.balance).toBe(150);
  expect(await buyer.stand()).toEqual(PAID);
});

/** JSON.stringify gives up on what is nested deep. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? `${"[".repeat(40_000)}${"]".repeat(40_000)}` : JSON.stringify(value);
}
