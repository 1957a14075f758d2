import { expect, test } from "vitest";
import { priceIn, settlementIn } from "../../../../src/surfaces/mcp/payment.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("the price and the settlement are the objects in their headers", () => {
  const headers = { "PAYMENT-REQUIRED": base64('{"x402Version":2}'), "PAYMENT-RESPONSE": base64('{"success":true}') };
  expect(priceIn(headers)).toEqual({ x402Version: 2 });
  expect(settlementIn(headers)).toEqual({ "x402/payment-response": { success: true } });
});

test.each([
  ["nothing", undefined],
  ["no base64", "%%%"],
  ["no JSON", base64("{")],
  ["null", base64("null")],
  ["a list", base64("[]")],
  ["text", base64('"text"')],
])("a header with %s is no price and no settlement", (_, header) => {
  const headers = header === undefined ? {} : { "PAYMENT-REQUIRED": header, "PAYMENT-RESPONSE": header };
  expect([priceIn(headers), settlementIn(headers), priceIn(undefined)]).toEqual([null, {}, null]);
});
