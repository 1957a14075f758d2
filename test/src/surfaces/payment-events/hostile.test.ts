import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { newOrderId, type OrderRow, openOrder } from "../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import {
  booksOf,
  eventsFor,
  type Fields,
  openCardOrder,
  recordOf,
  type WireEvent,
  wireEvent,
} from "../../../support/payments/card-events.ts";
import { cardWebhook, SECRET } from "../../../support/payments/card-webhook.ts";

const { service, seconds, signed, post, deliver, newOrder } = await cardWebhook();
const { db, clock, errors } = service;

beforeEach(() => {
  clock.pass(MINUTE);
  errors.length = 0;
});

const UNTOUCHED = { status: "pending", takenBack: 0, balance: 0, ledger: [], audit: [] };
const PAID = { status: "paid", takenBack: 0, balance: 150, ledger: ["purchase 150"], audit: [] };

describe("400: what is not signed by the card processor changes nothing", () => {
  const forgeries: readonly (readonly [string, (body: string, order: OrderRow) => readonly [string, string?]])[] = [
    ["no signature", (body) => [body]],
    ["an empty signature", (body) => [body, ""]],
    ["a signature that is none", (body) => [body, "t=1,v1=nonsense,,="]],
    ["a signature by another secret", (body) => [body, signed(body, "whsec_other")]],
    ["a signature by no secret", (body) => [body, signed(body, "")]],
    ["a signature 301 s old", (body) => [body, signed(body, SECRET, seconds() - 301)]],
    ["a signature 301 s ahead of time", (body) => [body, signed(body, SECRET, seconds() + 301)]],
    ["an old signature whose time was changed", (body) => [body, renewed(signed(body, SECRET, seconds() - 900))]],
    ["an old signature with a second time", (body) => [body, `${signed(body, SECRET, 1)},t=${seconds()}`]],
    ["a signature without a time", (body) => [body, signed(body).replace(/^t=\d+,/, "")]],
    ["a signature over no number as its time", (body) => [body, signed(body, SECRET, Number.NaN)]],
    ["a signature of the scheme v0 alone", (body) => [body, signed(body).replace("v1=", "v0=")]],
    ["a signature with one digit changed", (body) => [body, flipped(signed(body))]],
    ["a signature cut short", (body) => [body, signed(body).slice(0, -2)]],
    ["the signature of another event", (body, order) => [body, signed(JSON.stringify(eventsFor(order).expired()))]],
    ["a body that was changed", (body) => [body.replace("evt_", "evt_x"), signed(body)]],
    ["a body with a space more", (body) => [`${body} `, signed(body)]],
    ["a body that was written again", (body) => [JSON.stringify(JSON.parse(body), null, 1), signed(body)]],
  ];
  const unreadable: readonly (readonly [string, string])[] = [
    ["no body", ""],
    ["no JSON", "id=evt_1&type=checkout.session.completed"],
    ["half a JSON", '{"id":"evt_1",'],
    ["null", "null"],
    ["a list", "[]"],
    ["an event without an id", '{"type":"checkout.session.completed","livemode":false}'],
    ["an event with a number for an id", '{"id":7,"type":"charge.refunded","livemode":false}'],
    ["an event with NUL in its id", '{"id":"evt_\\u0000","type":"charge.refunded","livemode":false}'],
    ["an event with an endless id", `{"id":"evt_${"x".repeat(300)}","type":"charge.refunded","livemode":false}`],
    ["an event that does not say whether it is live", '{"id":"evt_1","type":"charge.refunded"}'],
    ["a thin event of the second kind", '{"id":"evt_1","object":"v2.core.event","type":"x","livemode":false}'],
  ];

  test.each(forgeries)("400 invalid_request: %s", async (_, forge) => {
    const order = await newOrder();
    const event = eventsFor(order).paid();
    const { status, json, headers } = await post(...forge(JSON.stringify(event), order));
    expect([status, json.error.code]).toEqual([400, "invalid_request"]);
    expect(json.error.issues[0].path).toBe("Stripe-Signature");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(await booksOf(db, order)).toEqual(UNTOUCHED);
    expect(await recordOf(db, event)).toBeUndefined();
    expect(errors).toEqual([]);
    // The event itself was good: signed as it should be, it is taken.
    await deliver(event);
    expect(await booksOf(db, order)).toEqual(PAID);
  });

  test.each(unreadable)("400 invalid_request: well signed, but %s", async (_, body) => {
    const before = await db.q.select().from(db.t.cardEvents);
    const { status, json } = await post(body, signed(body));
    expect([status, json.error.code]).toEqual([400, "invalid_request"]);
    expect(await db.q.select().from(db.t.cardEvents)).toEqual(before);
    expect(errors).toEqual([]);
  });

  test("415: a compressed body, whatever was signed", async () => {
    const order = await newOrder();
    const body = JSON.stringify(eventsFor(order).paid());
    const { status } = await post(gzipSync(body), signed(body), { "Content-Encoding": "gzip" });
    expect(status).toBe(415);
    expect(await booksOf(db, order)).toEqual(UNTOUCHED);
  });

  test("413: a body over a megabyte, with a valid signature", async () => {
    const order = await newOrder();
    const body = JSON.stringify({ ...eventsFor(order).paid(), padding: "x".repeat(1024 * 1024) });
    expect((await post(body, signed(body))).status).toBe(413);
    expect(await booksOf(db, order)).toEqual(UNTOUCHED);
  });

  const good: readonly (readonly [string, (body: string) => string])[] = [
    ["several signatures, the last of them right", (body) => signed(body).replace("v1=", `v1=${"0".repeat(64)},v1=`)],
    ["several signatures, the first of them right", (body) => `${signed(body)},v1=${"0".repeat(64)},v0=1`],
    ["a signature 299 s old", (body) => signed(body, SECRET, seconds() - 299)],
    ["a signature 299 s ahead of time", (body) => signed(body, SECRET, seconds() + 299)],
  ];
  test.each(good)("200: %s", async (_, sign) => {
    const order = await newOrder();
    const body = JSON.stringify(eventsFor(order).paid());
    expect((await post(body, sign(body))).status).toBe(200);
    expect(await booksOf(db, order)).toEqual(PAID);
  });
});

function renewed(signature: string): string {
  return signature.replace(/^t=\d+/, `t=${seconds()}`);
}

function flipped(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith("0") ? "1" : "0");
}

describe("200, and nothing changes: a signed event that does not fit is recorded with the reason", () => {
  type Make = (order: OrderRow, other: OrderRow) => WireEvent;
  const paid =
    (over: Fields, more?: Partial<WireEvent>): Make =>
    (order) =>
      eventsFor(order).paid(over, more);
  const misfits: readonly (readonly [string, Make, RegExp])[] = [
    ["another checkout session", paid({ id: "cs_test_other" }), /has another checkout session/],
    [
      "the page of one order, the name of another",
      (order, other) => eventsFor(order).paid({ metadata: { order_id: other.id } }),
      /belongs to order ord_/,
    ],
    [
      "the page of one order, the name of an older one",
      (order, other) => eventsFor(other).paid({ metadata: { order_id: order.id } }),
      /belongs to order ord_/,
    ],
    ["a cent less", paid({ amount_total: 998 }), /amount is 998, and the order's 999/],
    ["a cent more", paid({ amount_total: 1000 }), /amount is 1000/],
    ["no amount", paid({ amount_total: null }), /amount is null/],
    ["an amount of text", paid({ amount_total: "999" }), /amount is null/],
    ["an amount in dollars", paid({ amount_total: 9.99 }), /amount is null/],
    ["a negative amount", paid({ amount_total: -999 }), /amount is null/],
    ["another currency", paid({ currency: "jpy" }), /currency is jpy, and the order's usd/],
    ["no currency", paid({ currency: undefined }), /currency is null/],
    ["a currency that is none", paid({ currency: "usd\u0000" }), /currency is null/],
    ["real money", paid({}, { livemode: true }), /of real money/],
    ["an expiry in real money", (order) => eventsFor(order).expired({}, { livemode: true }), /of real money/],
    ["a session without an id", paid({ id: undefined }), /cannot be read/],
    ["a session whose id is an object", paid({ id: { $ne: "" } }), /cannot be read/],
    ["completed, and no payment was needed", paid({ payment_status: "no_payment_required" }), /neither paid nor wai/],
    ["completed, and nobody says how", paid({ payment_status: undefined }), /neither paid nor waiting/],
    ["money that came, and is unpaid", (order) => eventsFor(order).arrived({ payment_status: "unpaid" }), /neither/],
    ["no object at all", () => wireEvent("checkout.session.completed", null as never), /cannot be read/],
    ["an expiry of another page", (order) => eventsFor(order).expired({ id: "cs_test_x" }), /another checkout session/],
    ["a failure of another amount", (order) => eventsFor(order).failed({ amount_total: 1 }), /amount is 1/],
    ["a refund that is text", (order) => eventsFor(order).refunded("300" as never), /refund cannot be read/],
    ["a negative refund", (order) => eventsFor(order).refunded(-1), /refund cannot be read/],
    ["half a cent of refund", (order) => eventsFor(order).refunded(0.5), /refund cannot be read/],
    ["an endless refund", (order) => eventsFor(order).refunded(2 ** 53), /refund cannot be read/],
    ["a refund of a payment that is a list", (o) => eventsFor(o).refunded(1, { payment_intent: [] }), /cannot be read/],
    ["a refund in no currency", (order) => eventsFor(order).refunded(1, { currency: null }), /cannot be read/],
    ["one refund without an id", (order) => eventsFor(order).refund("1", { cents: 1 }, { id: null }), /cannot be read/],
    ["one refund of text", (order) => eventsFor(order).refund("1", { cents: "1" as never }), /refund cannot be read/],
    ["a dispute without an id", (order) => eventsFor(order).disputed("lost", { id: null }), /dispute cannot be read/],
    ["a dispute of a new kind", (order) => eventsFor(order).disputed("escalated"), /status that is not known/],
    ["a dispute without a status", (order) => eventsFor(order).disputed(null as never), /dispute cannot be read/],
  ];

  test.each(misfits)("200: %s", async (_, make, problem) => {
    const [order, other] = [await newOrder(), await newOrder()];
    const event = make(order, other);
    // The operator hears of it once, however often it is sent.
    await deliver(event, event);
    expect((await recordOf(db, event))!.problem).toMatch(problem);
    expect(errors).toEqual([expect.objectContaining({ event: event.id, type: event.type })]);
    for (const one of [order, other]) expect(await booksOf(db, one)).toEqual(UNTOUCHED);
    // It has done no harm: what fits is still booked.
    await deliver(eventsFor(order).paid());
    expect(await booksOf(db, order)).toEqual(PAID);
  });

  test("200: a payment for an order of ours that does not exist", async () => {
    const event = eventsFor({ ...(await newOrder()), id: newOrderId(), reference: "cs_test_gone" }).paid();
    await deliver(event);
    expect((await recordOf(db, event))!.problem).toMatch(/which is not here/);
  });

  test("200: a payment for an order of direct payment", async () => {
    const { id: accountId } = await service.account({ paid: false, credits: 0 });
    const order = await db.tx((tx) => openOrder(tx, { accountId, pack: PACKS[0], method: "evm", now: clock.now() }));
    const event = eventsFor({ ...order, reference: "cs_test_evm" }).paid();
    await deliver(event);
    expect((await recordOf(db, event))!.problem).toMatch(/is paid by evm, not by stripe/);
    const [row] = await db.q.select().from(db.t.orders).where(eqId(order.id));
    expect([row!.status, row!.paidAt]).toEqual(["pending", null]);
    await db.tx(async (tx) => void (await tx.q.delete(tx.t.orders).where(eqId(order.id)).returning()));
  });

  test("200: a payment for an order of the sandbox", async () => {
    const { id } = await service.account({ paid: false, credits: 0 });
    const order = await openCardOrder(db, id, { method: "sandbox", now: clock.now() });
    const event = eventsFor(order).paid();
    await deliver(event);
    expect((await recordOf(db, event))!.problem).toMatch(/is paid by sandbox, not by stripe/);
    expect(await booksOf(db, order)).toEqual(UNTOUCHED);
  });

  test("200: the payment belongs to another order", async () => {
    const [order, other] = [await newOrder(), await newOrder()];
    const paid = eventsFor(order).paid();
    await deliver(paid);
    const event = eventsFor(other).paid({ payment_intent: paid.data.object.payment_intent });
    await deliver(event);
    expect((await recordOf(db, event))!.problem).toBe(`Its payment belongs to order ${order.id}.`);
    expect([await booksOf(db, order), await booksOf(db, other)]).toEqual([PAID, UNTOUCHED]);
  });

  test("200: a second payment of a paid order, and its refund, do not change the order", async () => {
    const order = await newOrder();
    await deliver(eventsFor(order).paid());
    const second = eventsFor(order).arrived({ payment_intent: "pi_second" });
    await deliver(second);
    expect((await recordOf(db, second))!.problem).toMatch(/was paid before, by payment pi_.*give this one back/);
    await deliver(eventsFor(order).refunded(999, { payment_intent: "pi_second" }));
    expect(await booksOf(db, order)).toEqual(PAID);
  });

  test("200: the refund is in another currency than the order", async () => {
    const order = await newOrder();
    await deliver(eventsFor(order).paid());
    const event = eventsFor(order).refunded(999, { currency: "jpy" });
    await deliver(event);
    expect(await recordOf(db, event)).toEqual({ order: order.id, problem: "It gives back jpy, not usd." });
    expect(await booksOf(db, order)).toEqual(PAID);
  });
});

function eqId(id: string) {
  return eq(db.t.orders.id, id);
}

describe("200, and no problem: what else is sold on the same account of the processor is ignored", () => {
  const foreign: readonly (readonly [string, WireEvent])[] = [
    ["a payment", wireEvent("checkout.session.completed", { id: "cs_a", payment_status: "paid", metadata: {} })],
    [
      "a payment with an order of its own",
      wireEvent("checkout.session.completed", { id: "cs_b", payment_status: "paid", metadata: { order_id: "4711" } }),
    ],
    [
      "a trial",
      wireEvent("checkout.session.completed", { id: "cs_c", payment_status: "no_payment_required", metadata: null }),
    ],
    ["a refund", wireEvent("charge.refunded", { payment_intent: "pi_a", amount_refunded: 5, currency: "eur" })],
    [
      "a refund that failed",
      wireEvent("refund.failed", {
        id: "re_a",
        payment_intent: "pi_a",
        amount: 5,
        currency: "usd",
        status: "failed",
      }),
    ],
    ["a refund of old", wireEvent("charge.refunded", { payment_intent: null, amount_refunded: 5, currency: "usd" })],
    ["a dispute of old", wireEvent("charge.dispute.created", { id: "dp_a", payment_intent: null, status: "lost" })],
    ["something else", wireEvent("invoice.paid", { id: "in_1" })],
    ["something else in real money", wireEvent("invoice.paid", { id: "in_1" }, { livemode: true })],
    ["a word that every object has", wireEvent("constructor", {})],
    ["a page of ours that nobody was shown", eventOfNobody("expired")],
    ["a failed payment of an order that is not here", eventOfNobody("failed")],
  ];

  test.each(foreign)("200: %s", async (_, event) => {
    await deliver(event);
    expect(await recordOf(db, event)).toEqual({ order: null, problem: null });
    expect(errors).toEqual([]);
  });
});

function eventOfNobody(what: "expired" | "failed"): WireEvent {
  const order = { id: newOrderId(), reference: "cs_test_none", amountCents: 999, currency: "usd" } as OrderRow;
  return eventsFor(order)[what]();
}
