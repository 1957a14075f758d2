import { beforeAll, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import type { Buyer } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { altered, encoded, type Payment, resigned } from "./wallet.ts";

const shop = allTests(openShop);
let buyer: Buyer;
beforeAll(async () => {
  buyer = await shop.buyer();
});

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Headers that are no payment at all. */
const NO_PAYMENT: readonly (readonly [name: string, header: string])[] = [
  ["nothing", ""],
  ["no base64", "{pay me}"],
  ["base64 with a space inside", `${base64('{"x402Version"')} ${base64(":2}")}`],
  ["base64 of no JSON", base64("pay me")],
  ["base64 of no UTF-8", base64(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))],
  ["base64 of null", encoded(null)],
  ["base64 of an array", encoded([{ x402Version: 2 }])],
  ["base64 of a number", encoded(2)],
  ["base64 of a text", encoded("payment")],
  ["base64 of an empty object", encoded({})],
  ["an object with __proto__", base64('{"x402Version":2,"__proto__":{"accepted":{}},"payload":{}}')],
  ["an object 2,000 deep", base64(nested(2_000))],
  ["an empty payload", encoded({ x402Version: 2, accepted: {}, payload: {} })],
  ["a payload that is null", encoded({ x402Version: 2, accepted: {}, payload: null })],
  ["a payload that is a list", encoded({ x402Version: 2, accepted: {}, payload: [] })],
  ["15 KB of nothing", base64(JSON.stringify({ x402Version: 2, payload: { padding: "x".repeat(11_000) } }))],
];

test.each(NO_PAYMENT)("402 payment_invalid: %s", async (_, header) => {
  const answer = await buyer.refused({ "PAYMENT-SIGNATURE": header });
  expect(answer.reason).toMatch(/^(malformed|malformed_authorization|unsupported_version|unsupported_payload)$/);
});

test("431: a header of 20 KB is refused before it is read", async () => {
  const before = await buyer.stand();
  const answer = await fetch(`${shop.url}/api/v1/credits/x402`, {
    method: "POST",
    headers: { Authorization: `Bearer ${buyer.key}`, "PAYMENT-SIGNATURE": "A".repeat(20_000) },
  });
  expect(answer.status).toBe(431);
  expect(await buyer.stand()).toEqual(before);
});

type Spoil = (payment: Payment) => unknown;

/** Signed and otherwise right, but not of the form. */
const MISSHAPEN: readonly (readonly [name: string, reason: string, spoil: Spoil])[] = [
  ["version 1", "unsupported_version", (payment) => ({ ...payment, x402Version: 1 })],
  ["version 1 as a client of that time sends it", "unsupported_version", versionOne],
  ["no version", "unsupported_version", ({ x402Version: _, ...payment }) => payment],
  ["a version in text", "unsupported_version", (payment) => ({ ...payment, x402Version: "2" })],
  ["no offer said back", "malformed", ({ accepted: _, ...payment }) => payment],
  ["an offer that is null", "malformed", (payment) => ({ ...payment, accepted: null })],
  ["a list of offers", "malformed", (payment) => ({ ...payment, accepted: [payment.accepted] })],
  ["a resource in text", "malformed", (payment) => ({ ...payment, resource: payment.resource.url })],
  ["a Permit2 payload", "unsupported_payload", permit2],
  ["a raw transaction", "unsupported_payload", (payment) => ({ ...payment, payload: { transaction: "0x02f8" } })],
  ["no signature", "malformed", (payment) => resigned(payment, undefined)],
  ["a signature that is null", "malformed", (payment) => resigned(payment, null)],
  ["an empty signature", "malformed", (payment) => resigned(payment, "0x")],
  ["a signature of 64 bytes (EIP-2098)", "malformed", (payment) => resigned(payment, `0x${"11".repeat(64)}`)],
  ["a signature of odd length", "malformed", (payment) => resigned(payment, `${payment.payload.signature}0`)],
  ["a value in a number", "malformed_authorization", (payment) => altered(payment, { value: 9990000 })],
  ["a value with a space", "malformed_authorization", (payment) => altered(payment, { value: " 9990000" })],
  ["a value in hexadecimal", "malformed_authorization", (payment) => altered(payment, { value: "0x986f70" })],
  ["a value below zero", "malformed_authorization", (payment) => altered(payment, { value: "-1" })],
  ["a value with an exponent", "malformed_authorization", (payment) => altered(payment, { value: "999e4" })],
  ["a value with a point", "malformed_authorization", (payment) => altered(payment, { value: "9990000.0" })],
  ["a value with a zero in front", "malformed_authorization", (payment) => altered(payment, { value: "09990000" })],
  ["a value of 100 digits", "malformed_authorization", (payment) => altered(payment, { value: "9".repeat(100) })],
  ["an empty value", "malformed_authorization", (payment) => altered(payment, { value: "" })],
  ["no value", "malformed_authorization", (payment) => altered(payment, { value: undefined })],
  ["a payer in a list", "malformed_authorization", (payment) => altered(payment, { from: [buyer.account.address] })],
  ["a payer without 0x", "malformed_authorization", (payment) => altered(payment, { from: "ab".repeat(20) })],
  ["a nonce of 31 bytes", "malformed_authorization", (payment) => altered(payment, { nonce: `0x${"11".repeat(31)}` })],
  ["a nonce with a zero byte in it", "malformed_authorization", (payment) => altered(payment, { nonce: "0x\u0000" })],
  ["a time that is no number", "malformed_authorization", (payment) => altered(payment, { validBefore: "NaN" })],
];

test.each(MISSHAPEN)("402 payment_invalid: %s", async (_, reason, spoil) => {
  const payment = spoil(await buyer.pay());
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe(reason);
});

test("200: the same buyer pays after all of these", async () => {
  const { status } = await buyer.send(await buyer.pay());
  expect(status).toBe(200);
});

function versionOne({ payload }: Payment) {
  return { x402Version: 1, scheme: "exact", network: "base", payload };
}

function permit2({ accepted, payload, ...payment }: Payment) {
  const { from, to, value, nonce } = payload.authorization;
  const permit2Authorization = { from, permitted: { token: accepted.asset, amount: value }, spender: to, nonce };
  return { ...payment, accepted, payload: { signature: payload.signature, permit2Authorization } };
}
