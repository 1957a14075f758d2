import { expect, test } from "vitest";
import { costOf } from "../../../../src/domain/ledger/costs.ts";

test.each([
  ["standard", 7, 7],
  ["instant", 7, 21],
  ["check", 1, 1],
  ["check", 10, 1],
  ["check", 11, 2],
  ["holdout", 10, 2],
  ["holdout", 11, 4],
] as const)("%s: %d URLs cost %d credits", (kind, urls, credits) => {
  expect(costOf(kind, urls)).toBe(credits);
});
