import { expect, test } from "vitest";
import { CARD_METHODS, METHOD_IDS, methodOf } from "../../../../src/domain/payments/find-method.ts";
import { PAYMENT_METHODS } from "../../../../src/domain/payments/methods.ts";
import { sourcesIn } from "../../../support/checks/imports.ts";

test("a method is found only by the id that its orders have", () => {
  expect(METHOD_IDS.map((method) => methodOf({ method }))).toEqual(Object.values(PAYMENT_METHODS));
  expect([...CARD_METHODS.keys()]).toEqual(METHOD_IDS.filter((id) => PAYMENT_METHODS[id].kind === "card"));
  expect(methodOf({ method: "evm" })).toBe(PAYMENT_METHODS.evm);
  expect(methodOf({ method: "constructor" })).toBeUndefined();
});

/** Files outside of `src/domain/payments`, and of the settings, that say a method's id, each with the reason. */
const MAY_NAME: Readonly<Record<string, string>> = {
  "src/domain/projects/report.ts": "says the method of a look, which is no payment",
  "src/process/doctor/stripe.ts": "tries the key of Stripe",
  "src/surfaces/website/credits/checkout-routes.ts": "is the payment page of the sandbox",
};

test("law: outside of src/domain/payments no code names a method", () => {
  const named = /\b(?:method|cards)\b[^;\n]*"(?:stripe|evm|sandbox)"/;
  const found = sourcesIn("tools", "rest", "a2a", "src")
    .filter(({ path }) => !path.startsWith("src/domain/payments/") && !path.endsWith("example-responses.ts"))
    .filter(({ text }) => named.test(text))
    .map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(MAY_NAME).sort());
});
