import { expect, test } from "vitest";
import { LIMITS } from "../../src/platform/limits.ts";
import { allTests } from "../support/service/each-test.ts";
import { cutAt, says } from "./fault-proxy.ts";
import { openShop } from "./shop.ts";
import { altered, encoded, newNonce } from "./wallet.ts";

const shop = allTests(openShop);

const { count } = LIMITS.failed_payments;
const WINDOW = 600_000;
const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

test("429: an account with many failed payments causes no more calls of the facilitator; what it has paid is credited", {
  timeout: 60_000,
}, async () => {
  // All that follows is of one window.
  shop.service.clock.pass(WINDOW - (shop.service.clock.now() % WINDOW));
  const buyer = await shop.buyer();
  const settled = await buyer.pay();
  const open = await buyer.pay();
  expect((await buyer.send(settled)).status).toBe(200);
  shop.facilitator.fault = cutAt("/settle");
  expect((await buyer.send(open)).status).toBe(503);

  shop.facilitator.fault = async () => says({ isValid: false, invalidReason: "invalid_exact_evm_signature" });
  const spoilt = await buyer.pay();
  let refused = 0;
  for (; refused <= count; refused++) {
    // A minute takes 120 requests of a key.
    if (refused % 50 === 49) shop.service.clock.pass(60_000);
    const answer = await buyer.send(altered(spoilt, { nonce: newNonce() }));
    if (answer.status === 429) {
      expect(answer.code).toBe("rate_limited");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      break;
    }
    expect([answer.status, answer.reason]).toEqual([402, "invalid_signature"]);
  }
  expect(refused).toBeGreaterThan(count / 2);
  expect(refused).toBeLessThanOrEqual(count);
  shop.facilitator.fault = null;

  const asked = shop.asksFacilitator();
  const fresh = await buyer.send(await buyer.pay());
  expect([fresh.status, shop.asksFacilitator()]).toEqual([429, asked]);
  expect((await buyer.send(settled)).status).toBe(200);
  await shop.chain.submit(open);
  expect((await buyer.send(open)).status).toBe(200);
  const other = await shop.buyer();
  expect((await other.send(await other.pay())).status).toBe(200);
  expect(await other.stand()).toEqual(PAID);

  shop.service.clock.pass(600_000);
  expect((await buyer.send(await buyer.pay())).status).toBe(200);
});

test("payments that succeed do not count: a buyer may buy as often as its requests allow", async () => {
  const buyer = await shop.buyer({ dollars: 2_000 });
  for (let i = 0; i < 20; i++) expect((await buyer.send(await buyer.pay())).status).toBe(200);
  expect((await buyer.stand()).credits).toBe(3_000);
});

test("429 without a price: an anonymous caller gets at most 60 answers a minute", async () => {
  shop.service.clock.pass(60_000);
  const asked = shop.asksFacilitator();
  const buyer = await shop.buyer();
  const signature = encoded(await buyer.pay());
  let answered = 0;
  for (; answered < 70; answered++) {
    const headers = { "PAYMENT-SIGNATURE": signature };
    const { status } = await shop.request("POST", "/credits/x402", { body: { pack: "basic" }, headers });
    if (status === 429) break;
    expect(status).toBe(402);
  }
  expect(answered).toBe(60);
  expect(shop.asksFacilitator()).toBe(asked);
});
