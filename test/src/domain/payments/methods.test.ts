import { expect, test } from "vitest";
import { CARD_METHODS, methodOf, PAYMENT_METHODS } from "../../../../src/domain/payments/methods.ts";
import { ORDER_METHODS } from "../../../../src/domain/payments/orders/orders.ts";
import { sourcesIn } from "../../../support/checks/imports.ts";

test("every method of orders has a row, and nothing else has", () => {
  expect(Object.keys(PAYMENT_METHODS)).toEqual([...ORDER_METHODS]);
  expect(CARD_METHODS).toEqual(["stripe", "sandbox"]);
  expect(methodOf({ method: "evm" })).toBe(PAYMENT_METHODS.evm);
  expect(methodOf({ method: "constructor" })).toBeUndefined();
});

/** Files outside of `src/domain/payments`, and of the settings, that say a method's id, each with the reason. */
const MAY_NAME: Readonly<Record<string, string>> = {
  "src/surfaces/website/sandbox/routes.ts": "is the payment page of the sandbox",
  "src/surfaces/website/dashboard/buy.ts": "tells what is particular about paying there",
  "src/surfaces/docs/pricing.ts": "tells what is particular about paying there",
};

test("law: outside of the payments, a method is known by its row", () => {
  const named = /\b(?:method|cards)\b[^;\n]*"(?:stripe|evm|sandbox)"/;
  const found = sourcesIn("tools", "rest", "a2a", "src")
    .filter(({ path }) => !path.startsWith("src/domain/payments/") && !path.endsWith("example-responses.ts"))
    .filter(({ text }) => named.test(text))
    .map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(MAY_NAME).sort());
});
