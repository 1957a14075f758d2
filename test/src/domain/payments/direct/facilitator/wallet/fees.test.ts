import { describe, expect, test } from "vitest";
import {
  bumped,
  type Fees,
  type GasPrice,
  GasTooDear,
  grown,
  isBelow,
  offerFor,
} from "../../../../../../../src/domain/payments/direct/facilitator/wallet/fees.ts";

const price = (baseFee: bigint | null, tip: bigint): GasPrice => ({ baseFee, tip, block: 1n });
const offer = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees => ({
  type: "eip1559",
  maxFeePerGas,
  maxPriorityFeePerGas,
});
const legacy = (gasPrice: bigint): Fees => ({ type: "legacy", gasPrice });

describe("a new transaction", () => {
  test.each([
    ["the base fee may double", price(100n, 10n), 1_000n, offer(210n, 10n)],
    ["no further than to the limit", price(100n, 10n), 150n, offer(150n, 10n)],
    ["up to the limit itself", price(100n, 10n), 110n, offer(110n, 10n)],
    ["a chain without a base fee", price(null, 70n), 70n, legacy(70n)],
  ])("%s", (_, asked, cap, expected) => expect(offerFor(asked, cap)).toEqual(expected));

  test.each([
    [price(100n, 10n), 109n],
    [price(0n, 10n), 9n],
    [price(null, 70n), 69n],
  ])("is not sent for more than the limit", (asked, cap) => expect(() => offerFor(asked, cap)).toThrow(GasTooDear));
});

describe("a replacement", () => {
  test.each([
    ["an eighth more, as nodes ask", offer(800n, 80n), price(10n, 1n), 10_000n, offer(901n, 91n)],
    ["at least what blocks ask today", offer(800n, 80n), price(1_000n, 200n), 10_000n, offer(2_200n, 200n)],
    ["more than nothing", offer(1n, 0n), price(0n, 0n), 10n, offer(2n, 1n)],
    ["no tip above the whole", offer(10n, 1n), price(0n, 50n), 60n, offer(50n, 50n)],
    ["a chain without a base fee", legacy(80n), price(null, 10n), 1_000n, legacy(91n)],
    ["today's price of a chain without a base fee", legacy(80n), price(null, 300n), 1_000n, legacy(300n)],
  ])("%s", (_, before, asked, cap, expected) => expect(bumped(before, asked, cap)).toEqual(expected));

  test("law: nodes accept it, since each fee is at least 10% and one wei higher", () => {
    for (let fee = 0n; fee < 5_000n; fee += 7n) {
      const after = bumped(offer(fee, fee / 3n), price(1n, 1n), 1_000_000n) as Fees & { type: "eip1559" };
      expect(10n * after.maxFeePerGas >= 11n * fee && after.maxFeePerGas > fee).toBe(true);
      expect(10n * after.maxPriorityFeePerGas >= 11n * (fee / 3n) && after.maxPriorityFeePerGas > fee / 3n).toBe(true);
    }
  });

  test.each([
    [offer(100n, 1n), price(10n, 1n), 112n],
    [offer(10n, 1n), price(200n, 1n), 112n],
    [legacy(100n), price(null, 1n), 112n],
  ])("is not sent for more than the limit", (before, asked, cap) =>
    expect(() => bumped(before, asked, cap)).toThrow(GasTooDear),
  );
});

test("a transaction with unknown fees is outbid by half as much again, up to the limit", () => {
  expect(grown(offer(100n, 10n), 1_000n)).toEqual(offer(151n, 16n));
  expect(grown(legacy(100n), 1_000n)).toEqual(legacy(151n));
  expect(() => grown(offer(100n, 10n), 150n)).toThrow(GasTooDear);
});

test.each([
  [offer(99n, 10n), price(100n, 1n), true],
  [offer(100n, 10n), price(100n, 1n), true],
  [offer(101n, 10n), price(100n, 1n), false],
  [offer(101n, 1n), price(100n, 30n), false],
  [legacy(99n), price(null, 100n), true],
  [legacy(100n), price(null, 100n), false],
])("%o at %o is below what blocks require: %s", (fees, asked, expected) => expect(isBelow(fees, asked)).toBe(expected));
