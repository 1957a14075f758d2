import { expect, test } from "vitest";
import { bindFirst, bindSecond } from "../../../src/platform/bind.ts";

const prices = { currency: "$" };
type Prices = typeof prices;

test("law: a bound function has its first argument, and takes the others as they were", () => {
  const { priceOf } = bindFirst(prices, { priceOf: ({ currency }: Prices, amount: number) => currency + amount });
  const price: string = priceOf(3);
  expect(price).toBe("$3");
  // @ts-expect-error: it takes a number.
  expect(priceOf("3")).toBe("$3");
  // @ts-expect-error: it takes one argument.
  expect(priceOf(3, 4)).toBe("$3");
});

test("law: a function bound to its second argument takes the first one and the others", () => {
  const { line } = bindSecond(prices, {
    line: (name: string, { currency }: Prices, amount: number) => `${name}: ${currency}${amount}`,
  });
  const text: string = line("pack", 3);
  expect(text).toBe("pack: $3");
  // @ts-expect-error: it takes the name first.
  expect(line(3, 3)).toBe("3: $3");
});
