import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
  encodePaymentSignatureHeader,
} from "@x402/core/http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { paymentOfPayload, requiredIn, responseIn } from "../../src/contract/x402.ts";
import { headerOf } from "../../src/domain/payments/direct/protocol/header.ts";
import { readPayload } from "../../src/domain/payments/direct/protocol/payload.ts";
import type { Payload } from "../../src/domain/payments/direct/protocol/x402.ts";
import { anyRequirements, hex } from "../support/payments/any-requirements.ts";

/**
 * src/contract/x402.ts and src/domain/payments/direct/protocol stand in for the codecs of @x402/core/http. On valid objects
 * both have to be equal. Our decoders can go when the package's bound the length of a header and refuse what is no UTF-8.
 */

const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
const authorization = fc.record({
  from: hex(20),
  to: hex(20),
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: hex(32),
});
const payload = fc.record({
  x402Version: fc.constant(2 as const),
  accepted: anyRequirements,
  payload: fc.record({ signature: hex(65), authorization }),
}) satisfies fc.Arbitrary<Payload>;

test("law: a PaymentPayload is encoded and decoded as by the package", () => {
  fc.assert(
    fc.property(payload, (given) => {
      const text = encodePaymentSignatureHeader(given);
      expect(paymentOfPayload(given)).toEqual({ scheme: "x402", text });
      expect(readPayload(text).signed).toEqual(decodePaymentSignatureHeader(text).payload.authorization);
    }),
  );
});

test("law: a PaymentRequired and a SettleResponse are encoded and decoded as by the package", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(anyRequirements, text, hex(32), (accepted, words, transaction) => {
      const resource = { url: "https://example.com/x", description: words, mimeType: "application/json" };
      const required = encodePaymentRequiredHeader({ x402Version: 2, error: words, resource, accepts: [accepted] });
      expect(requiredIn({ "PAYMENT-REQUIRED": required })).toEqual(decodePaymentRequiredHeader(required));
      expect(headerOf(decodePaymentRequiredHeader(required))).toBe(required);
      const { network } = accepted;
      const settled = encodePaymentResponseHeader({ success: true, transaction, network, payer: accepted.payTo });
      expect(responseIn({ "PAYMENT-RESPONSE": settled })).toEqual(decodePaymentResponseHeader(settled));
      expect(headerOf(decodePaymentResponseHeader(settled))).toBe(settled);
    }),
  );
});
