import { expect, test } from "vitest";
import { ORDER_STATUSES } from "../../../../../src/domain/payments/orders/orders.ts";
import { standingOf, standingWords } from "../../../../../src/surfaces/website/checkout/order-status.ts";

const PENDING = { status: "pending", expiresAt: 1_000 };

test.each([
  [PENDING, false, 999, "payable"],
  [PENDING, false, 1_000, "over"],
  [PENDING, true, 999, "awaited"],
  [PENDING, true, 2_000, "awaited"],
  [{ status: "expired", expiresAt: 1_000 }, false, 999, "over"],
  [{ status: "paid", expiresAt: 1_000 }, false, 2_000, "paid"],
  [{ status: "failed", expiresAt: null }, false, 0, "failed"],
] as const)("%j, awaited: %s, at %i: %s", (order, isAwaited, now, standing) => {
  expect(standingOf(order, isAwaited, now)).toBe(standing);
});

test("every status has words, and what was taken back or withdrawn has its own", () => {
  const plain = { takenBack: 0, paidAt: null };
  for (const status of ORDER_STATUSES)
    expect(standingWords(plain, standingOf({ status, expiresAt: null }, false, 0))).toMatch(/^[a-z ]+$/);
  expect(standingWords({ takenBack: 1, paidAt: 1 }, "paid")).toBe("paid, partly refunded");
  expect(standingWords({ takenBack: 500, paidAt: 1 }, "failed")).toBe("payment withdrawn");
});
