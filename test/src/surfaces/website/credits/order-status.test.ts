import { expect, test } from "vitest";
import { ORDER_STATUSES } from "../../../../../src/domain/payments/orders/orders.ts";
import { displayStatusOf, displayStatusText } from "../../../../../src/surfaces/website/credits/order-status.ts";

const PENDING = { status: "pending", expiresAt: 1_000 };

test.each([
  [PENDING, false, 999, "open"],
  [PENDING, false, 1_000, "expired"],
  [PENDING, true, 999, "processing"],
  [PENDING, true, 2_000, "processing"],
  [{ status: "expired", expiresAt: 1_000 }, false, 999, "expired"],
  [{ status: "paid", expiresAt: 1_000 }, false, 2_000, "paid"],
  [{ status: "failed", expiresAt: null }, false, 0, "failed"],
] as const)("%j, funds pending: %s, at %i: %s", (order, isAwaited, now, expected) => {
  expect(displayStatusOf(order, isAwaited, now)).toBe(expected);
});

test("every status has a text, also a partial refund and a reversed payment", () => {
  const plain = { takenBack: 0, paidAt: null };
  for (const status of ORDER_STATUSES)
    expect(displayStatusText(plain, displayStatusOf({ status, expiresAt: null }, false, 0))).toMatch(/^[a-z ]+$/);
  expect(displayStatusText({ takenBack: 1, paidAt: 1 }, "paid")).toBe("paid, partly refunded");
  expect(displayStatusText({ takenBack: 500, paidAt: 1 }, "failed")).toBe("payment reversed");
});
