import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { BadSignature } from "../../../../../../src/domain/payments/cards/card-processor.ts";
import {
  playSandbox,
  type SandboxAction,
  type SandboxProcessor,
  sandboxOrderOf,
} from "../../../../../../src/domain/payments/cards/sandbox/payment-page.ts";
import type { OrderRow } from "../../../../../../src/domain/payments/orders/orders.ts";
import { pendingFundsOf } from "../../../../../../src/domain/payments/pending-funds.ts";
import { reconcilePayments } from "../../../../../../src/domain/payments/reconcile.ts";
import { DAY, HOUR } from "../../../../../../src/platform/clock.ts";
import {
  booksOf,
  eventsFor,
  openCardOrder,
  signatureOf,
  type WireEvent,
} from "../../../../../support/payments/card-events.ts";
import { testService } from "../../../../../support/service/service.ts";

const SECRET = "whsec_by_hand";
const service = await testService({ config: { webhookSecret: SECRET } });
afterAll(() => service.close());
const { db, clock, config, payments, errors, url } = service;
const log = { info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
const parts = { db, clock, config, payments, log };

beforeEach(() => {
  clock.pass(HOUR);
  errors.length = 0;
});

async function buy(pack = "basic"): Promise<OrderRow> {
  const { key } = await service.account({ paid: false, credits: 0 });
  const { status, json } = await service.request("POST", "/checkout", { key, body: { pack } });
  expect(status).toBe(201);
  const [row] = await db.q.select().from(db.t.orders).where(eq(db.t.orders.id, json.order.id));
  return row!;
}

const play = async (order: OrderRow, ...acts: SandboxAction[]) => {
  for (const act of acts) await playSandbox(parts, order.reference!, act);
};
const events = () => db.q.select().from(db.t.cardEvents);

test("201: the page is our own, at an address that nobody can guess; no request is sent", async () => {
  const [one, two] = [await buy(), await buy()];
  expect(one.reference).toMatch(/^cs_sandbox_[0-9a-z]{32}$/);
  expect(one.checkoutUrl).toBe(`http://beckon.test/sandbox/pay/${one.reference}`);
  expect(one.reference).not.toBe(two.reference);
  expect([one.method, one.status]).toEqual(["sandbox", "pending"]);
  expect([payments.cards!.method, payments.cards!.origin]).toEqual(["sandbox", null]);
});

test("an order is found by its own page only", async () => {
  const order = await buy();
  expect(await sandboxOrderOf(db, order.reference!)).toEqual(order);
  const { id } = await service.account();
  const stripe = await openCardOrder(db, id, { method: "stripe", now: clock.now() });
  for (const reference of ["", "cs_sandbox_", order.id, stripe.reference!])
    expect(await sandboxOrderOf(db, reference)).toBeNull();
  await expect(playSandbox(parts, stripe.reference!, "pay")).rejects.toMatchObject({ code: "not_found" });
});

const bought = "purchase 150";
const back = "adjustment -150";

/** What was done, one after the other, and the order, its ledger and the number of events that it took. */
const PLAYS: readonly (readonly [SandboxAction[], string, readonly string[], number])[] = [
  [["pay"], "paid", [bought], 1],
  [["decline"], "failed", [], 1],
  [["pay_later"], "pending", [], 1],
  [["pay_later", "arrive"], "paid", [bought], 2],
  [["pay_later", "bounce"], "failed", [], 2],
  [["pay", "refund"], "refunded", [bought, back], 2],
  [["pay", "dispute"], "disputed", [bought, back], 2],
  [["pay", "dispute", "win"], "paid", [bought, back, "adjustment 150"], 3],
  [["pay", "dispute", "win", "dispute"], "disputed", [bought, back, "adjustment 150", back], 4],
  [["pay", "dispute", "dispute", "win"], "paid", [bought, back, "adjustment 150"], 4],
  [["pay", "refund", "dispute", "win"], "refunded", [bought, back], 4],
  [["pay_later", "arrive", "refund"], "refunded", [bought, back], 3],
  // What the page no longer offers does nothing.
  [["pay", "pay", "decline", "pay_later", "arrive", "bounce"], "paid", [bought], 1],
  [["decline", "pay", "arrive", "refund"], "failed", [], 1],
  [["pay_later", "pay", "decline", "pay_later"], "pending", [], 1],
  [["arrive", "bounce", "refund", "dispute", "win"], "pending", [], 0],
  [["pay", "win"], "paid", [bought], 1],
  [["pay_later", "bounce", "arrive"], "failed", [], 2],
];

test.each(PLAYS)("%j: %s", async (acts, status, ledger, taken) => {
  const order = await buy();
  const before = (await events()).length;
  await play(order, ...acts);
  expect(await booksOf(db, order)).toMatchObject({ status, ledger, audit: [] });
  expect((await events()).length - before).toBe(taken);
  expect(errors).toEqual([]);
});

test("twenty clicks in two tabs pay once", async () => {
  const order = await buy();
  const acts: SandboxAction[] = ["pay", "decline", "pay"];
  await Promise.all(Array.from({ length: 20 }, (_, i) => play(order, acts[i % acts.length]!)));
  expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: [bought], audit: [] });
});

test("an expired page cannot be paid, and closes", async () => {
  for (const act of ["pay", "decline", "pay_later"] as const) {
    const order = await buy();
    clock.pass(order.expiresAt! - clock.now());
    await play(order, act);
    expect(await booksOf(db, order)).toMatchObject({ status: "expired", ledger: [], audit: [] });
  }
  const order = await buy();
  clock.pass(order.expiresAt! - clock.now() - 1);
  await play(order, "pay");
  expect(await booksOf(db, order)).toMatchObject({ status: "paid" });
});

test("delayed money may arrive after the page has closed", async () => {
  const order = await buy();
  await play(order, "pay_later");
  clock.pass(7 * DAY);
  expect(await pendingFundsOf(db, [order])).toEqual(new Set([order.id]));
  await reconcilePayments(payments, parts);
  expect(await booksOf(db, order)).toMatchObject({ status: "pending" });
  await play(order, "arrive");
  expect(await booksOf(db, order)).toMatchObject({ status: "paid" });
});

test("only payments by a delayed method are pending", async () => {
  const all = [await buy(), await buy(), await buy(), await buy()] as const;
  const [later, , paid, bounced] = all;
  await play(later, "pay_later");
  await play(paid, "pay_later", "arrive");
  await play(bounced, "pay_later", "bounce");
  const rows = await Promise.all(all.map(({ reference }) => sandboxOrderOf(db, reference!)));
  expect(
    await pendingFundsOf(
      db,
      rows.map((row) => row!),
    ),
  ).toEqual(new Set([later.id]));
  expect(await pendingFundsOf(db, [])).toEqual(new Set());
});

test("unpaid pages expire by the event that the card processor would send", async () => {
  const order = await buy();
  clock.pass(DAY);
  await reconcilePayments(payments, parts);
  expect(await booksOf(db, order)).toMatchObject({ status: "expired", ledger: [], audit: [] });
  const own = (await events()).filter((event) => event.orderId === order.id);
  expect(own.map(({ type, problem }) => [type, problem])).toEqual([["checkout.session.expired", null]]);
});

describe("its webhook behaves like the card processor's", () => {
  async function post(event: WireEvent, secret: string): Promise<number> {
    const body = JSON.stringify(event);
    const signature = signatureOf(body, secret, Math.floor(clock.now() / 1000));
    const headers = { "Stripe-Signature": signature };
    return (await fetch(`${url}/webhooks/stripe`, { method: "POST", headers, body })).status;
  }

  test("200: an event signed by hand with the secret of the settings; 400: with any other secret", async () => {
    const order = await buy();
    expect(await post(eventsFor(order).paid(), "whsec_other")).toBe(400);
    expect(await booksOf(db, order)).toMatchObject({ status: "pending" });
    expect(await post(eventsFor(order).paid(), SECRET)).toBe(200);
    expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: [bought], audit: [] });
  });

  test("200: an event that does not fit the order leaves nothing pending", async () => {
    const order = await buy();
    expect(await post(eventsFor(order).waiting({ amount_total: 1 }), SECRET)).toBe(200);
    expect(await pendingFundsOf(db, [order])).toEqual(new Set());
    expect(await post(eventsFor(order).waiting(), SECRET)).toBe(200);
    expect(await pendingFundsOf(db, [order])).toEqual(new Set([order.id]));
  });

  test("200: an event about real money changes nothing", async () => {
    const order = await buy();
    expect(await post(eventsFor(order).paid({}, { livemode: true }), SECRET)).toBe(200);
    expect(await booksOf(db, order)).toMatchObject({ status: "pending", ledger: [], audit: [] });
    expect(errors).toHaveLength(1);
  });

  test("without a secret in the settings each process creates a random one", async () => {
    const [one, two] = [await testService(), await testService()];
    const [a, b] = [one.payments.cards as SandboxProcessor, two.payments.cards as SandboxProcessor];
    const body = Buffer.from(JSON.stringify({ id: "evt_1", type: "x", livemode: false, data: { object: {} } }));
    expect(a.read(body, a.sign(body))).toMatchObject({ id: "evt_1", kind: "other" });
    expect(() => b.read(body, a.sign(body))).toThrow(BadSignature);
    expect(() => a.read(Buffer.concat([body, Buffer.from(" ")]), a.sign(body))).toThrow(BadSignature);
    await one.close();
    await two.close();
  });
});
