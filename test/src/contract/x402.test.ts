import { expect, test } from "vitest";
import { MAX_PAYMENT_LENGTH, paymentOfPayload, requiredIn, responseIn } from "../../../src/contract/x402.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a payment is base64 of its JSON, and decodes to the same value", () => {
  const payload = { x402Version: 2, payload: { signature: "0x00" } };
  const { scheme, text } = paymentOfPayload(payload)!;
  expect([scheme, requiredIn({ "PAYMENT-REQUIRED": text })]).toEqual(["x402", payload]);
  expect(responseIn({ "PAYMENT-RESPONSE": text })).toEqual(payload);
});

test("a payment too large for a header is refused", () => {
  const largest = "x".repeat((MAX_PAYMENT_LENGTH / 4) * 3 - 2);
  expect(paymentOfPayload(largest)?.text).toHaveLength(MAX_PAYMENT_LENGTH);
  expect(paymentOfPayload(`${largest}x`)).toBeNull();
  let deep: unknown = null;
  for (let n = 0; n < 100_000; n++) deep = [deep];
  expect(paymentOfPayload(deep)).toBeNull();
});

test.each(["%%%", base64("{"), base64("null"), base64("[]"), base64('"text"'), ""])(
  "%j in a header is neither a price nor a settlement",
  (header) => {
    expect([requiredIn({ "PAYMENT-REQUIRED": header }), responseIn({ "PAYMENT-RESPONSE": header })]).toEqual([
      null,
      null,
    ]);
  },
);
