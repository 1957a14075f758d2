import { beforeAll, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { type Buyer, expectPrice, untouchedBy } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { encoded } from "./wallet.ts";

/** What is asked for, and for which packs. */

const shop = allTests(openShop);
let buyer: Buyer;
beforeAll(async () => {
  buyer = await shop.buyer();
});

const PATH = "/credits/x402";

test.each([
  ["basic", "9990000"],
  ["pro", "29990000"],
  ["premium", "59990000"],
  ["agency", "149990000"],
])("402: the price of %s is %s, the same by GET and by POST", async (pack, amount) => {
  expectPrice((await shop.request("GET", `${PATH}?pack=${pack}`)).headers, amount);
  expectPrice((await shop.request("POST", PATH, { body: { pack } })).headers, amount);
  expectPrice((await shop.request("POST", PATH, { body: { pack }, key: buyer.key })).headers, amount);
});

/** With the status of a caller without a credential, who asks for a price: there the pack may be absent, and null is as absent. */
const PACKS: readonly (readonly [name: string, body: string, anonymous?: number])[] = [
  ["unknown", '{"pack":"gold"}'],
  ["in a list", '{"pack":["basic"]}'],
  ["null", '{"pack":null}', 402],
  ["a number", '{"pack":1}'],
  ["empty", '{"pack":""}'],
  ["of another case", '{"pack":"Basic"}'],
  ["the name of a method", '{"pack":"constructor"}'],
  ["__proto__", '{"pack":"__proto__"}'],
  ["under __proto__", '{"__proto__":{"pack":"basic"},"pack":"toString"}'],
];

test.each(PACKS)("400: a pack that is %s buys nothing, signed or not", (_, body, anonymous = 400) =>
  untouchedBy(buyer, async (payment) => {
    for (const headers of [{}, { "PAYMENT-SIGNATURE": encoded(payment) }]) {
      const answer = await shop.request("POST", PATH, { key: buyer.key, body, headers });
      expect(answer.status).toBe(400);
      expect(["unknown_pack", "invalid_request"]).toContain(answer.json.error.code);
    }
    expect((await shop.request("POST", PATH, { body })).status).toBe(anonymous);
  }),
);
