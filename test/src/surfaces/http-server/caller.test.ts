import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import { addressOf, credentialsOf, idempotencyKeyIn, paymentOf } from "../../../../src/surfaces/http-server/caller.ts";
import { cpuClock } from "../../../support/checks/cpu-time.ts";

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  return { socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage;
}

test.each([
  { hops: 0, forwarded: "6.6.6.6", address: "10.0.0.1" },
  { hops: 1, forwarded: "6.6.6.6, 203.0.113.7", address: "203.0.113.7" },
  { hops: 2, forwarded: "6.6.6.6, 203.0.113.7, 10.0.0.2", address: "203.0.113.7" },
  { hops: 1, forwarded: undefined, address: "10.0.0.1" },
])("with $hops proxies, $forwarded comes from $address", ({ hops, forwarded, address }) => {
  expect(addressOf(from("10.0.0.1", forwarded), hops)).toBe(address);
});

/** A request with these headers; a list is a header that came more than once. */
function sent(headers: Record<string, string | string[]>): IncomingMessage {
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one]));
  return { rawHeaders } as unknown as IncomingMessage;
}

test.each([
  ["nothing", {}, undefined],
  ["PAYMENT-SIGNATURE", { "PAYMENT-SIGNATURE": "e30=" }, { scheme: "x402", text: "e30=" }],
  ["an empty PAYMENT-SIGNATURE", { "PAYMENT-SIGNATURE": "" }, { scheme: "x402", text: "" }],
  ["the same PAYMENT-SIGNATURE twice", { "PAYMENT-SIGNATURE": ["a", "a"] }, { scheme: "x402", text: "a" }],
  ["Payment-Authorization", { "Payment-Authorization": "Payment  abc " }, { scheme: "payment", text: "abc" }],
  ["its scheme in small letters", { "Payment-Authorization": "payment abc" }, { scheme: "payment", text: "abc" }],
  ["no scheme in it", { "Payment-Authorization": "abc" }, { scheme: "payment", text: "abc" }],
  ["another scheme in it", { "Payment-Authorization": "Bearer abc" }, { scheme: "payment", text: "Bearer abc" }],
  ["Authorization: Payment", { Authorization: "Payment abc" }, { scheme: "payment", text: "abc" }],
  ["Authorization: Bearer", { Authorization: "Bearer abc" }, undefined],
  ["X-PAYMENT of x402 v1", { "X-PAYMENT": "e30=" }, undefined],
])("the payment in %s", (_, headers, payment) => {
  expect(paymentOf(sent(headers))).toEqual(payment);
});

test.each([
  [{ "PAYMENT-SIGNATURE": "a", "Payment-Authorization": "Payment a" }],
  [{ "PAYMENT-SIGNATURE": "a", Authorization: "Payment a" }],
  [{ "PAYMENT-SIGNATURE": "a", "Payment-Authorization": "nonsense" }],
  [{ Authorization: "Payment a", "Payment-Authorization": "Payment a" }],
  [{ "PAYMENT-SIGNATURE": ["a", "b"] }],
  [{ "Payment-Authorization": ["Payment a", "Payment b"] }],
])("400 invalid_request: two payments: %j", (headers) => {
  let thrown: unknown;
  try {
    paymentOf(sent(headers));
  } catch (refusal) {
    thrown = refusal;
  }
  const { code, message } = thrown as Refusal;
  expect(code).toBe("invalid_request");
  expect(message).toContain("none was used");
});

test.each([
  [{}, undefined],
  [{ "Idempotency-Key": "k" }, "k"],
  [{ "Idempotency-Key": ["k", "k"] }, "k"],
  [{ "idempotency-key": "k,k, k" }, "k"],
  [{ "Idempotency-Key": "order 7, again" }, "order 7, again"],
  [{ "Idempotency-Key": "" }, ""],
  [{ "Idempotency-Key": "," }, ","],
])("the idempotency key in %j: %j", (headers, key) => {
  expect(idempotencyKeyIn(sent(headers))).toBe(key);
});

test.each([
  [{ Authorization: "Payment abc" }, {}],
  [{ Authorization: "Payment abc", "X-API-Key": "key" }, { apiKey: "key" }],
  [{ Authorization: "Payment" }, { authorization: "Payment" }],
  [{ Authorization: "Paymentabc" }, { authorization: "Paymentabc" }],
  [{ Authorization: "Bearer token", "Payment-Authorization": "Payment abc" }, { authorization: "Bearer token" }],
])("a payment is no credential: %j", (headers, presented) => {
  expect(credentialsOf(sent(headers))).toEqual(presented);
});

test("a header of blanks is read in linear time", () => {
  const key = `a${" ".repeat(15_000)}b`;
  const cpuMs = cpuClock();
  for (let n = 0; n < 20; n++) expect(idempotencyKeyIn(sent({ "Idempotency-Key": key }))).toBe(key);
  expect(cpuMs()).toBeLessThan(500);
});
