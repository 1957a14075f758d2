import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { OrderRow } from "../../../../../src/domain/payments/orders/orders.ts";
import type { Payments } from "../../../../../src/domain/payments/payments.ts";
import { pendingFundsOf } from "../../../../../src/domain/payments/pending-funds.ts";
import { reconcilePayments } from "../../../../../src/domain/payments/reconcile.ts";
import { DAY, HOUR, MINUTE } from "../../../../../src/platform/clock.ts";
import { booksOf, openCardOrder, recordOf } from "../../../../support/payments/card-events.ts";
import { stripeService } from "../../../../support/payments/stripe-service.ts";
import { STRIPE_DOWN } from "../../../../support/upstreams/stripe.ts";

const { service, world, account, calls, deliver } = await stripeService();
const { db, clock, config, payments, errors } = service;
const log = { info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
const parts = { db, clock, config, payments, log };

/** One round of a process. A new one, which knows of no round before, is made of the same parts. */
let running: Payments;
const round = () => reconcilePayments(running, { ...parts });
const lookedUp = () => calls.filter(({ method }) => method === "GET").map(({ path }) => path.split("/").at(-1)!);

beforeEach(async () => {
  world.heal();
  // What other tests left open is none of this one's.
  await db.tx(async (tx) => {
    const { orders } = tx.t;
    await tx.q.update(orders).set({ status: "expired" }).where(eq(orders.status, "pending")).returning();
  });
  running = { ...payments, cards: { ...payments.cards! } };
  errors.length = 0;
});

async function buy(): Promise<OrderRow & { reference: string }> {
  const { key } = await service.account({ paid: false, credits: 0 });
  clock.pass(HOUR);
  const { json } = await service.request("POST", "/checkout", { key, body: { pack: "basic" } });
  const [row] = await db.q.select().from(db.t.orders).where(eq(db.t.orders.id, json.order.id));
  return row as OrderRow & { reference: string };
}

const statusOf = async (order: OrderRow) => (await booksOf(db, order)).status;

describe("payment pages whose events never came", () => {
  test("money is booked once, even if its event comes later", async () => {
    const order = await buy();
    const lost = account.pay(order.reference);
    clock.pass(DAY);
    await round();
    expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: ["purchase 150"], audit: [] });
    expect(await deliver(lost)).toBe(200);
    await round();
    expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: ["purchase 150"], audit: [] });
    const id = `look:${order.reference}:checkout.session.completed:paid`;
    expect(await recordOf(db, { id, type: "checkout.session.completed" })).toEqual({ order: order.id, problem: null });
  });

  test("refunds and disputes are booked with it", async () => {
    const [part, contested] = [await buy(), await buy()];
    account.pay(part.reference);
    account.refund(part.reference, 333);
    account.pay(contested.reference);
    account.dispute(contested.reference);
    clock.pass(DAY);
    await round();
    expect(await booksOf(db, part)).toMatchObject({ status: "paid", takenBack: 50, audit: [] });
    expect(await booksOf(db, contested)).toMatchObject({ status: "disputed", takenBack: 150, audit: [] });
    // Whatever Stripe still tells of it fits to that.
    for (const event of account.events) await deliver(event);
    await deliver(account.dispute(contested.reference, "won", "closed"));
    expect(await booksOf(db, part)).toMatchObject({ status: "paid", takenBack: 50, audit: [] });
    expect(await booksOf(db, contested)).toMatchObject({ status: "paid", takenBack: 0, audit: [] });
    await deliver(account.failRefund(part.reference));
    expect(await booksOf(db, part)).toMatchObject({ status: "paid", takenBack: 0, audit: [] });
  });

  test("an expired page expires its order, a refused payment fails it, and an order with money on the way stays pending", async () => {
    const [unpaid, bounced, later, open] = [await buy(), await buy(), await buy(), await buy()];
    account.expire(unpaid.reference);
    account.payLater(bounced.reference);
    account.bounce(bounced.reference);
    account.payLater(later.reference);
    clock.pass(DAY);
    await round();
    expect([await statusOf(unpaid), await statusOf(bounced), await statusOf(later)]).toEqual([
      "expired",
      "failed",
      "pending",
    ]);
    const pending = [later, open].map((order) => ({ ...order, status: "pending" }));
    expect([await statusOf(open), await pendingFundsOf(db, pending)]).toEqual(["pending", new Set([later.id])]);
    account.arrive(later.reference);
    clock.pass(2 * HOUR);
    await round();
    await round();
    expect(await statusOf(later)).toBe("paid");
  });

  test("a page is not looked up until ten minutes after its end, and never if its order is final", async () => {
    const order = await buy();
    const [paid] = [await buy()];
    await deliver(account.pay(paid.reference));
    clock.pass(order.expiresAt! + 10 * MINUTE - 1 - clock.now());
    const before = lookedUp().length;
    await round();
    expect(lookedUp().length).toBe(before);
    clock.pass(1);
    await round();
    expect(lookedUp().slice(before)).toEqual([order.reference]);
  });

  test("each page is looked up once, and again after an hour while it stays open", async () => {
    const order = await buy();
    account.payLater(order.reference);
    clock.pass(DAY);
    const before = lookedUp().length;
    for (let minute = 0; minute < 59; minute += 1) {
      await round();
      clock.pass(MINUTE);
    }
    expect(lookedUp().slice(before)).toEqual([order.reference]);
    for (let minute = 0; minute < 60; minute += 1) {
      await round();
      clock.pass(MINUTE);
    }
    expect(lookedUp().slice(before)).toEqual([order.reference, order.reference]);
  });

  test("a round looks up twenty pages, and those that stay open do not delay the others", async () => {
    const now = clock.now() - DAY;
    const orders: OrderRow[] = [];
    const { id } = await service.account();
    for (let i = 0; i < 45; i += 1) orders.push(await openCardOrder(db, id, { now: i < 30 ? now : now + i }));
    const before = lookedUp().length;
    const counts: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      await round();
      counts.push(lookedUp().length - before);
    }
    expect(counts).toEqual([20, 40, 45, 45]);
    expect(new Set(lookedUp().slice(before))).toEqual(new Set(orders.map(({ reference }) => reference)));
    // Stripe knows none of them: the operator hears of it, and they stay as they are.
    expect(errors).toHaveLength(45);
    expect(await statusOf(orders[0]!)).toBe("pending");
  });

  test("while Stripe is down nothing changes, and the next round continues where this one stopped", async () => {
    const [one, two, three] = [await buy(), await buy(), await buy()];
    for (const { reference } of [one, two, three]) account.pay(reference);
    clock.pass(DAY);
    world.fail("stripe", { answer: STRIPE_DOWN, path: two.reference });
    await round();
    expect(await Promise.all([one, two, three].map(statusOf))).toEqual(["paid", "pending", "pending"]);
    expect(JSON.stringify(errors)).not.toContain("secret");
    world.heal();
    const before = lookedUp().length;
    await round();
    expect(lookedUp().slice(before)).toEqual([two.reference, three.reference]);
    expect(await Promise.all([one, two, three].map(statusOf))).toEqual(["paid", "paid", "paid"]);
  });

  test("orders of the sandbox, whose pages no longer exist, expire without a lookup", async () => {
    const { id } = await service.account();
    const late = await openCardOrder(db, id, { method: "sandbox", now: clock.now() - 2 * DAY });
    const open = await openCardOrder(db, id, { method: "sandbox", now: clock.now() });
    const before = calls.length;
    await round();
    expect([calls.length, await statusOf(late), await statusOf(open)]).toEqual([before, "expired", "pending"]);
    clock.pass(2 * DAY);
    await reconcilePayments({ cards: null, direct: null }, parts);
    expect(await statusOf(open)).toBe("expired");
  });

  test("orders of Stripe are kept until Stripe is configured again, however long another processor is", async () => {
    const { id } = await service.account();
    const order = await openCardOrder(db, id, { now: clock.now() - 40 * DAY });
    const before = calls.length;
    await reconcilePayments({ cards: null, direct: null }, parts);
    await reconcilePayments({ cards: { ...payments.cards!, method: "sandbox" }, direct: null }, parts);
    expect([calls.length, await statusOf(order)]).toEqual([before, "pending"]);
  });

  test("an error of direct payment does not stop lookups of cards, and vice versa", async () => {
    const order = await buy();
    account.pay(order.reference);
    clock.pass(DAY);
    const broken = { reconcile: () => Promise.reject(new Error("the chain is away")) } as unknown as NonNullable<
      Payments["direct"]
    >;
    await expect(reconcilePayments({ ...running, direct: broken }, parts)).rejects.toThrow("the chain is away");
    expect(await statusOf(order)).toBe("paid");
    let rounds = 0;
    const counting = {
      async reconcile() {
        rounds += 1;
      },
    } as NonNullable<Payments["direct"]>;
    const failing = { ...running.cards!, lookUp: () => Promise.reject(new Error("a fault of ours")) };
    const late = await buy();
    clock.pass(DAY);
    await expect(reconcilePayments({ cards: failing, direct: counting }, parts)).rejects.toThrow("a fault of ours");
    expect([rounds, await statusOf(late)]).toEqual([1, "pending"]);
  });
});
