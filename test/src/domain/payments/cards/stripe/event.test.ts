import fc from "fast-check";
import { expect, test } from "vitest";
import type { CardEvent } from "../../../../../../src/domain/payments/cards/event.ts";
import { cardEventOf } from "../../../../../../src/domain/payments/cards/stripe/event.ts";
import { fuzzRuns } from "../../../../../support/checks/fuzz-runs.ts";

const event = (type: string, object: unknown) => ({
  id: "evt_1",
  object: "event",
  type,
  livemode: false,
  created: 1_795_000_000,
  data: { object },
});
const eventOf = (type: string, object: unknown) => {
  const { id, type: name, isLive, createdAt, ...rest } = cardEventOf(event(type, object))!;
  expect([id, name, isLive, createdAt]).toEqual(["evt_1", type, false, 1_795_000_000_000]);
  return rest;
};

const session = {
  id: "cs_1",
  metadata: { order_id: "ord_1" },
  client_reference_id: "ord_1",
  payment_intent: "pi_1",
  amount_total: 999,
  currency: "usd",
};
const page = { reference: "cs_1", orderId: "ord_1", paymentId: "pi_1" };
const ofSession = { ...page, amountCents: 999, currency: "usd", taxCents: null };

test.each([
  ["completed", "paid", "paid"],
  ["completed", "unpaid", "waiting"],
  ["async_payment_succeeded", "paid", "paid"],
  ["async_payment_failed", "unpaid", "failed"],
  ["expired", "unpaid", "expired"],
])("checkout.session.%s, %s: %s", (what, status, kind) => {
  expect(eventOf(`checkout.session.${what}`, { ...session, payment_status: status })).toEqual({ kind, ...ofSession });
});

test.each([
  [{ status: "complete" }, { amount_tax: 167 }, 167],
  [{ status: "complete" }, { amount_tax: 0 }, 0],
  [{ status: "complete" }, { amount_tax: -1 }, null],
  [{ status: "complete" }, null, null],
  [{ status: "requires_location_inputs" }, { amount_tax: 0 }, null],
  [{ status: null }, { amount_tax: 0 }, null],
  [undefined, undefined, null],
])("tax by automatic_tax %j and total_details %j: %s", (automatic_tax, total_details, taxCents) => {
  const paid = { ...session, payment_status: "paid", automatic_tax, total_details };
  expect(eventOf("checkout.session.completed", paid)).toEqual({ kind: "paid", ...ofSession, taxCents });
});

test.each([
  ["completed", "no_payment_required"],
  ["completed", "new"],
  ["async_payment_succeeded", "unpaid"],
  ["async_payment_succeeded", "no_payment_required"],
])("checkout.session.%s, %s: a mismatch for an order of ours, ignored for any other", (what, status) => {
  const type = `checkout.session.${what}`;
  const odd = eventOf(type, { ...session, payment_status: status });
  expect(odd).toEqual({ kind: "unreadable", orderId: "ord_1", problem: expect.stringMatching(/\.$/) });
  const foreign = { ...session, payment_status: status, metadata: {}, client_reference_id: null };
  expect(eventOf(type, foreign)).toEqual({ kind: "other" });
});

test("an object in place of an id is read as its id; either field may name the order", () => {
  const paid = { ...session, payment_status: "paid" };
  expect(eventOf("checkout.session.completed", { ...paid, payment_intent: { id: "pi_2", amount: 1 } })).toMatchObject({
    paymentId: "pi_2",
  });
  expect(eventOf("checkout.session.completed", { ...paid, metadata: null })).toMatchObject({ orderId: "ord_1" });
  expect(eventOf("checkout.session.completed", { ...paid, client_reference_id: null })).toMatchObject({
    orderId: "ord_1",
  });
  expect(eventOf("checkout.session.completed", { ...paid, currency: "USD" })).toMatchObject({ currency: "usd" });
});

test("a page of another product is a page without an order", () => {
  const foreign = { ...session, payment_status: "paid", metadata: {}, client_reference_id: null };
  expect(eventOf("checkout.session.completed", foreign)).toMatchObject({ kind: "paid", orderId: null });
});

const charge = { id: "ch_1", payment_intent: "pi_1", amount: 999, amount_refunded: 300, currency: "usd" };
const refund = { id: "re_1", payment_intent: "pi_1", amount: 300, currency: "usd", status: "succeeded" };
const dispute = { id: "dp_1", payment_intent: "pi_1", status: "lost" };

test.each<[type: string, object: object, problem: string, orderId?: string]>([
  ["checkout.session.completed", { ...session, id: null }, "Its checkout session cannot be read.", "ord_1"],
  [
    "checkout.session.completed",
    { ...session, payment_status: ["paid"] },
    "Its checkout session is neither paid nor waiting.",
    "ord_1",
  ],
  ...[
    { payment_intent: [] },
    ...[null, "300", -1, 0.5, 2 ** 31].map((amount_refunded) => ({ amount_refunded })),
    ...[null, ["usd"], "ausd", "usda", "us"].map((currency) => ({ currency })),
  ].map((change): [string, object, string] => [
    "charge.refunded",
    { ...charge, ...change },
    "Its refund cannot be read.",
  ]),
  ...[{ payment_intent: [] }, { id: null }, { amount: "300" }, { currency: null }].map(
    (change): [string, object, string] => ["refund.updated", { ...refund, ...change }, "Its refund cannot be read."],
  ),
  ...[{ payment_intent: [] }, { id: null }, { status: null }].map((change): [string, object, string] => [
    "charge.dispute.updated",
    { ...dispute, ...change },
    "Its dispute cannot be read.",
  ]),
  ["charge.dispute.updated", { ...dispute, status: "new" }, "Its dispute has a status that is not known here."],
])("%s that cannot be read: %j", (type, object, problem, orderId) => {
  expect(eventOf(type, object)).toEqual({ kind: "unreadable", orderId: orderId ?? null, problem });
});

test("an amount is at most what a column holds", () => {
  const most = 2 ** 31 - 1;
  expect(eventOf("charge.refunded", { ...charge, amount_refunded: most })).toMatchObject({ refundedCents: most });
});

test("what has no payment is of another product", () => {
  for (const [type, object] of [
    ["charge.refunded", charge],
    ["refund.updated", refund],
    ["charge.dispute.updated", dispute],
  ] as const)
    expect(eventOf(type, { ...object, payment_intent: null })).toEqual({ kind: "other" });
});

test("what does not say whether it is live is no event", () => {
  expect(cardEventOf({ ...event("charge.refunded", charge), livemode: undefined })).toBeNull();
});

test("charge.refunded has the total that was refunded so far", () => {
  const refunded = { kind: "refunded", paymentId: "pi_1", refundedCents: 300, currency: "usd" };
  expect(eventOf("charge.refunded", charge)).toEqual(refunded);
});

test.each([
  ["pending", false],
  ["requires_action", false],
  ["succeeded", false],
  [null, false],
  ["failed", true],
  ["canceled", true],
])("a refund that is %s has failed: %s, in whichever event", (status, hasFailed) => {
  const read = { kind: "refund", paymentId: "pi_1", refundId: "re_1", cents: 300, currency: "usd", hasFailed };
  for (const type of ["refund.created", "refund.updated", "refund.failed", "charge.refund.updated"]) {
    expect(eventOf(type, { ...refund, status })).toEqual(read);
  }
});

test.each([undefined, null, -1, 1.5, "1795000000", 253_402_300_800, 1e300])(
  "created %j: an event of no time",
  (created) => {
    expect(cardEventOf({ ...event("charge.refunded", {}), created })).toMatchObject({ createdAt: 0 });
  },
);

test.each([
  ["needs_response", "open"],
  ["under_review", "open"],
  ["appeal_needs_response", "open"],
  ["appeal_under_review", "open"],
  ["won", "won"],
  ["warning_closed", "won"],
  ["charge_refunded", "won"],
  ["lost", "lost"],
  ["prevented", "won"],
])("a dispute that is %s: %s, in whichever event", (status, state) => {
  for (const what of ["created", "updated", "funds_withdrawn", "funds_reinstated", "closed"]) {
    expect(eventOf(`charge.dispute.${what}`, { id: "dp_1", payment_intent: "pi_1", status })).toEqual({
      kind: "disputed",
      paymentId: "pi_1",
      disputeId: "dp_1",
      state,
    });
  }
});

test.each(["warning_needs_response", "warning_under_review"])(
  "an inquiry that is %s does not affect the order",
  (status) => {
    expect(eventOf("charge.dispute.created", { id: "dp_1", payment_intent: "pi_1", status })).toEqual({
      kind: "other",
    });
  },
);

test("a prevented dispute is lost if money was withdrawn for it and did not come back", () => {
  const state = (...amounts: number[]) => {
    const balance_transactions = amounts.map((amount) => ({ amount }));
    return eventOf("charge.dispute.closed", {
      id: "dp_1",
      payment_intent: "pi_1",
      status: "prevented",
      balance_transactions,
    });
  };
  expect(state(-999)).toMatchObject({ state: "lost" });
  expect(state(-999, 999)).toMatchObject({ state: "won" });
  expect(state()).toMatchObject({ state: "won" });
});

test("law: any signed event is of a known kind or ignored, and nothing throws", () => {
  const types = fc.constantFrom(
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.expired",
    "charge.refunded",
    "refund.failed",
    "charge.dispute.closed",
    "__proto__",
    "toString",
  );
  const names = fc.constantFrom(
    ...Object.keys(session),
    "payment_status",
    "status",
    "amount_refunded",
    "amount",
    "balance_transactions",
  );
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("paid", "unpaid", "prevented", "lost", "usd", 999, "pi_1"));
  const object = fc.oneof(fc.dictionary(names, value), fc.jsonValue());
  const wire = fc.record({
    id: fc.oneof(fc.constant("evt_1"), fc.jsonValue()),
    type: types,
    livemode: fc.boolean(),
    data: fc.record({ object }),
  });
  const kinds: CardEvent["kind"][] = [
    "paid",
    "waiting",
    "failed",
    "expired",
    "refunded",
    "refund",
    "disputed",
    "unreadable",
    "other",
  ];
  fc.assert(
    fc.property(fc.oneof(wire, fc.jsonValue()), (one) => {
      const read = cardEventOf(one);
      if (!read) return;
      expect(kinds).toContain(read.kind);
      // What is stored and looked up is made of what ids are made of.
      const ids = Object.entries(read).filter(([name, id]) => /id$|reference|type/i.test(name) && id !== null);
      for (const [, id] of ids) expect(id).toMatch(/^[\w.:-]{1,255}$/);
      for (const cents of ["amountCents", "refundedCents", "cents"] as const) {
        const amount = (read as unknown as Record<string, unknown>)[cents] ?? 0;
        expect(Number.isInteger(amount) && (amount as number) >= 0).toBe(true);
      }
    }),
    { numRuns: fuzzRuns(3_000), seed: 7 },
  );
});
