import { beforeAll, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import { type Buyer, type Credential, challengeIn } from "./buyer.ts";
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

type Spoil = (credential: Credential) => unknown;
const challenged =
  (changes: Record<string, unknown>): Spoil =>
  (credential) => ({
    ...credential,
    challenge: { ...credential.challenge, ...changes },
  });
const paid =
  (changes: Record<string, unknown>): Spoil =>
  (credential) => ({
    ...credential,
    payload: { ...credential.payload, ...changes },
  });
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const SPOILT: readonly (readonly [name: string, reason: string, spoil: Spoil])[] = [
  ["a cheaper request in the challenge", "challenge_unknown", cheaper],
  ["another realm in the challenge", "challenge_unknown", challenged({ realm: "evil.example" })],
  ["another method in the challenge", "challenge_unknown", challenged({ method: "tempo" })],
  ["another intent in the challenge", "challenge_unknown", challenged({ intent: "session" })],
  ["a later end in the challenge", "challenge_unknown", challenged({ expires: "2099-01-01T00:00:00.000Z" })],
  ["no end in the challenge", "challenge_unknown", challenged({ expires: undefined })],
  ["another id", "challenge_unknown", challenged({ id: "A".repeat(43) })],
  ["no id", "challenge_unknown", challenged({ id: undefined })],
  ["an id in a list", "challenge_unknown", challenged({ id: ["x"] })],
  ["another header in the challenge", "challenge_unknown", challenged({ header: "Authorization" })],
  ["a digest that was never asked for", "challenge_unknown", challenged({ digest: "sha-256=:AA==:" })],
  ["another opaque word in the challenge", "challenge_unknown", challenged({ opaque: base64url({ id: "x" }) })],
  ["no challenge", "malformed", ({ challenge: _, ...credential }) => credential],
  ["a challenge in text", "malformed", (credential) => ({ ...credential, challenge: "id" })],
  ["no payload", "malformed", ({ payload: _, ...credential }) => credential],
  ["a payload of another type", "unsupported_payload", paid({ type: "transaction" })],
  ["a nonce of its own", "nonce_mismatch", paid({ nonce: `0x${"11".repeat(32)}` })],
  ["a lower value", "wrong_amount", paid({ value: "1" })],
  ["another recipient", "wrong_recipient", paid({ to: `0x${"11".repeat(20)}` })],
  ["a value in hexadecimal", "malformed_authorization", paid({ value: "0x986f70" })],
  ["a signature of nobody", "invalid_signature", paid({ signature: `0x${"00".repeat(65)}` })],
  [
    "another source",
    "source_mismatch",
    (credential) => ({ ...credential, source: `did:pkh:eip155:31337:0x${"11".repeat(20)}` }),
  ],
  ["a source on another chain", "source_mismatch", elsewhere],
  ["a list in place of everything", "malformed", () => []],
  ["null in place of everything", "malformed", () => null],
];

test.each(SPOILT)("402 payment_invalid: %s", async (_, reason, spoil) => {
  const credential = await buyer.payByChallenge("basic", spoil);
  const answer = await buyer.refused({ "Payment-Authorization": `Payment ${credential}` });
  expect(answer.reason).toBe(reason);
});

test.each([
  ["no base64url", "{}"],
  ["base64url of no JSON", Buffer.from("pay me").toString("base64url")],
  ["12 KB of nothing", base64url({ challenge: {}, payload: { padding: "x".repeat(9_000) } })],
])("402 payment_invalid: %s", async (_, credential) => {
  const { reason } = await buyer.refused({ "Payment-Authorization": `Payment ${credential}` });
  expect(["malformed", "unsupported_payload"]).toContain(reason);
});

test("402 payment_invalid: a scheme of another name in Payment-Authorization", async () => {
  const answer = await buyer.refused({ "Payment-Authorization": `Bearer ${buyer.key}` });
  expect(answer.reason).toBe("malformed");
  expect(answer.text).not.toContain(buyer.key);
});

test("402 payment_invalid challenge_mismatch: the challenge of basic for agency", async () => {
  const credential = await buyer.payByChallenge("basic");
  const answer = await buyer.refused({ "Payment-Authorization": `Payment ${credential}` }, { pack: "agency" });
  expect(["challenge_mismatch", "wrong_amount"]).toContain(answer.reason);
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

test("402 payment_invalid challenge_expired: an expired challenge", async () => {
  const late = await shop.buyer();
  const credential = await late.payByChallenge();
  await shop.pass(301);
  const { reason } = await late.refused({ "Payment-Authorization": `Payment ${credential}` });
  expect(["challenge_expired", "expired"]).toContain(reason);
});

/** A request for a cent, in a challenge that is otherwise ours. */
function cheaper({ challenge, ...credential }: Credential) {
  const request = JSON.parse(Buffer.from(challenge.request!, "base64url").toString());
  return { ...credential, challenge: { ...challenge, request: base64url({ ...request, amount: "10000" }) } };
}

function elsewhere(credential: Credential) {
  return { ...credential, source: credential.source!.replace("31337", "8453") };
}

function post(headers: Record<string, string>, key?: string) {
  return shop.request("POST", "/credits/x402", { key, body: { pack: "basic" }, headers });
}
