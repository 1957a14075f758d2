import { beforeAll, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { type Buyer, challengeIn } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { decoded, encoded } from "./wallet.ts";

/** The HTTP authentication scheme `Payment`, method evm: the other way to say the same payment. */

const shop = allTests(openShop);
let buyer: Buyer;
beforeAll(async () => {
  buyer = await shop.buyer();
});

const PAID = { onChain: 9_990_000n, credits: 150, orders: ["paid"] };

test.each([
  ["Payment-Authorization beside the bearer", "Payment-Authorization", "Authorization", "Bearer "],
  ["Authorization, with the account in X-API-Key", "Authorization", "X-API-Key", ""],
  ["Payment-Authorization, with the account in X-API-Key", "Payment-Authorization", "X-API-Key", ""],
])("200: %s", async (_, header, own, prefix) => {
  const payer = await shop.buyer();
  const credential = await payer.payByChallenge();
  const headers = { [header]: `Payment ${credential}`, [own]: `${prefix}${payer.key}` };
  const answer = await post(headers);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, expect.stringMatching(/private/)]);
  const receipt = JSON.parse(Buffer.from(answer.headers.get("payment-receipt")!, "base64url").toString());
  expect(receipt).toMatchObject({ status: "success", method: "evm", reference: answer.json.order.transaction.hash });
  expect(Date.parse(receipt.timestamp)).not.toBeNaN();
  expect(await payer.stand()).toEqual(PAID);
  const again = await post(headers);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(await payer.stand()).toEqual(PAID);
});

test("402: the challenge binds price, address and time, and each is unique", async () => {
  const ask = async (pack: string) => {
    const answer = await shop.request("GET", `/credits/x402?pack=${pack}`);
    return challengeIn(answer.headers.get("www-authenticate"));
  };
  const [one, other, pro] = [await ask("basic"), await ask("basic"), await ask("pro")];
  expect(new Set([one.id, other.id, pro.id]).size).toBe(3);
  expect(one).toMatchObject({
    realm: "beckon.test",
    method: "evm",
    intent: "charge",
    header: "Payment-Authorization",
    expires: expect.stringMatching(/Z$/),
  });
  const request = JSON.parse(Buffer.from(pro.request!, "base64url").toString());
  expect(request).toEqual({
    amount: "29990000",
    currency: shop.devnet.token.toLowerCase() === request.currency.toLowerCase() ? request.currency : null,
    recipient: shop.devnet.payTo,
    methodDetails: { chainId: 31337, credentialTypes: ["authorization"], decimals: 6 },
  });
});

test("402 payment_invalid: a scheme of another name in Payment-Authorization", async () => {
  const answer = await buyer.refused({ "Payment-Authorization": `Bearer ${buyer.key}` });
  expect(answer.reason).toBe("malformed");
  expect(answer.text).not.toContain(buyer.key);
});

test("402 payment_invalid already_used: by another account", async () => {
  const [payer, thief] = [await shop.buyer(), await shop.buyer()];
  const credential = await payer.payByChallenge();
  expect((await post({ "Payment-Authorization": `Payment ${credential}` }, payer.key)).status).toBe(200);
  const answer = await thief.refused({ "Payment-Authorization": `Payment ${credential}` });
  expect(answer.reason).toBe("already_used");
});

test("200 replayed: one payment in both schemes is credited once", async () => {
  const payer = await shop.buyer();
  const credential = await payer.payByChallenge();
  const first = await post({ "Payment-Authorization": `Payment ${credential}` }, payer.key);
  expect(first.status).toBe(200);
  const { payload } = JSON.parse(Buffer.from(credential, "base64url").toString());
  const { type: _, signature, ...authorization } = payload;
  const price = await payer.price();
  const again = await payer.send({
    x402Version: 2,
    resource: price.resource,
    accepted: price.accepts[0],
    payload: { signature, authorization },
  });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(again.json).toEqual(first.json);
  expect(decoded(again.headers.get("payment-response")).transaction).toBe(first.json.order.transaction.hash);
  expect(await payer.stand()).toEqual(PAID);
});

test("40 copies at once, half of them in each scheme: one order", async () => {
  const payer = await shop.buyer();
  const credential = await payer.payByChallenge();
  const { payload } = JSON.parse(Buffer.from(credential, "base64url").toString());
  const { type: _, signature, ...authorization } = payload;
  const { resource, accepts } = await payer.price();
  const said = encoded({ x402Version: 2, resource, accepted: accepts[0], payload: { signature, authorization } });
  const ways = [{ "PAYMENT-SIGNATURE": said }, { "Payment-Authorization": `Payment ${credential}` }] as const;
  const settles = shop.settles();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => post({ ...ways[i % 2] } as Record<string, string>, payer.key)),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  expect(shop.settles()).toBe(settles + 1);
  expect(await payer.stand()).toEqual(PAID);
});

function post(headers: Record<string, string>, key?: string) {
  return shop.request("POST", "/credits/x402", { key, body: { pack: "basic" }, headers });
}
