import { expect, test } from "vitest";
import type { CardEvent, SessionEvent } from "../../../../../src/domain/payments/cards/event.ts";
import { mismatchOf, unknownOrderProblem, wrongMode } from "../../../../../src/domain/payments/cards/mismatch.ts";
import type { OrderRow } from "../../../../../src/domain/payments/orders/orders.ts";

const order = { id: "ord_1", method: "stripe", reference: "cs_1", amountCents: 999, currency: "usd" } as OrderRow;
const paid = (change: Partial<SessionEvent> = {}) =>
  ({
    ...{ id: "evt_1", type: "checkout.session.completed", kind: "paid", isLive: false, createdAt: 0 },
    ...{ reference: "cs_1", orderId: "ord_1", paymentId: "pi_1", amountCents: 999, currency: "usd", taxCents: null },
    ...change,
  }) as SessionEvent;

test("law: test payments and real money never mix; what is of no interest is no problem in either", () => {
  const [test, real] = [paid(), paid({ isLive: true })];
  expect([wrongMode(test, false), wrongMode(real, true)]).toEqual([null, null]);
  const problem = "It is of real money, and this deployment takes test payments only.";
  expect(wrongMode(real, false)).toEqual({ orderId: null, problem });
  expect(wrongMode(test, true)).toEqual({
    ...{ orderId: null, problem: "It is of a test, and this deployment takes real money." },
  });
  expect(wrongMode({ ...real, kind: "other" } as unknown as CardEvent, false)).toBeNull();
});

test.each<[change: Partial<SessionEvent>, problem: string | null]>([
  [{}, null],
  [{ orderId: null }, null],
  [{ reference: "cs_2" }, "Its order has another checkout session."],
  [{ orderId: "ord_2" }, "Its checkout session belongs to order ord_1."],
  [{ amountCents: 998 }, "Its amount is 998, and the order's 999."],
  [{ currency: "eur" }, "Its currency is eur, and the order's usd."],
])("a payment page with %j: %j", (change, problem) => {
  expect(mismatchOf(order, paid(change), "stripe")).toBe(problem);
});

test("a payment page of another way to pay", () => {
  expect(mismatchOf(order, paid(), "sandbox")).toBe("Its order is paid by stripe, not by sandbox.");
});

test.each<[event: object, problem: string | null]>([
  [paid(), "It pays for order ord_1, which is not here."],
  [paid({ orderId: null }), null],
  [paid({ orderId: "another product's" }), null],
  [paid({ kind: "expired" }), null],
  [{ kind: "unreadable", orderId: "ord_1", problem: "It cannot be read." }, "It cannot be read."],
  [{ kind: "unreadable", orderId: null, problem: "It cannot be read." }, "It cannot be read."],
  [{ kind: "unreadable", orderId: "another product's", problem: "It cannot be read." }, null],
])("an event whose order is not here, %j: %j", (event, problem) => {
  expect(unknownOrderProblem(event as SessionEvent)).toBe(problem);
});
