import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../../../db/engine.ts";
import { accountById } from "../../../../../src/domain/accounts/accounts.ts";
import { audit } from "../../../../../src/domain/audit/audit.ts";
import { DAY, HOUR } from "../../../../../src/platform/clock.ts";
import { LIMITS } from "../../../../../src/platform/limits.ts";
import { changeOwner } from "../../../../support/database/people.ts";
import { recordOf } from "../../../../support/payments/card-events.ts";
import { stripeService } from "../../../../support/payments/stripe-service.ts";
import { testService } from "../../../../support/service/service.ts";
import { SURFACES } from "../../../../support/service/surface-client.ts";
import { STRIPE_DOWN } from "../../../../support/upstreams/stripe.ts";
import { parseBrackets } from "../../../../support/upstreams/stripe-form.ts";

const { service, world, account, calls, deliver } = await stripeService();
const { db, clock, errors } = service;

beforeEach(() => {
  clock.pass(HOUR);
  world.heal();
  errors.length = 0;
});

const sessionsMade = () => account.sessions.size;
const ordersOf = (accountId: string) => db.q.select().from(db.t.orders).where(eq(db.t.orders.accountId, accountId));
const unpaid = () => service.account({ paid: false, credits: 0 });

describe.each(Object.entries(SURFACES))("%s: buy_credits", (_, connect) => {
  const client = connect(service);
  afterAll(() => client.close());

  test("201: returns a link at which a user can pay for some time, and an open order", async () => {
    const { key } = await unpaid();
    const { ok, body, status } = await client.call("buy_credits", { pack: "pro" }, { key });
    expect([ok, status]).toEqual([true, client.statusOf(201)]);
    const session = [...account.sessions.values()].at(-1)!;
    expect(body.order).toMatchObject({
      object: "order",
      pack: "pro",
      credits: 500,
      amount_cents: 2999,
      currency: "usd",
    });
    expect(body.order).toMatchObject({ method: "stripe", status: "pending", transaction: null, paid_at: null });
    expect([body.checkout_url, body.order.checkout_url]).toEqual([session.url, session.url]);
    expect(body.expires_at).toBe(body.order.expires_at);
    expect(Date.parse(body.expires_at)).toBe(session.expiresAt * 1000);
    expect((await client.call("get_order", { order_id: body.order.id }, { key })).body).toEqual(body.order);
  });

  test("201: the same idempotency key returns the same order, with one payment page", async () => {
    const keys = { key: (await unpaid()).key, idempotencyKey: "again" };
    const before = sessionsMade();
    const first = await client.call("buy_credits", { pack: "basic" }, keys);
    const second = await client.call("buy_credits", { pack: "basic" }, keys);
    expect([first.replayed, second.replayed, second.body]).toEqual([false, true, first.body]);
    expect(sessionsMade()).toBe(before + 1);
    const other = await client.call("buy_credits", { pack: "pro" }, keys);
    expect(other.code).toBe("idempotency_mismatch");
  });

  test("201: without an idempotency key each call makes an order", async () => {
    const { id, key } = await unpaid();
    const [one, two] = [
      await client.call("buy_credits", { pack: "basic" }, { key }),
      await client.call("buy_credits", { pack: "basic" }, { key }),
    ];
    expect(one.body.order.id).not.toBe(two.body.order.id);
    expect(one.body.checkout_url).not.toBe(two.body.checkout_url);
    expect(await ordersOf(id)).toHaveLength(2);
  });

  test("400 unknown_pack: nothing is created, and it does not count against the limit", async () => {
    const { id, key } = await unpaid();
    const before = calls.length;
    for (const pack of ["", "Basic", "gold", "__proto__", "basic "]) {
      const { code, status, body } = await client.call("buy_credits", { pack }, { key });
      expect([code, status]).toEqual(["unknown_pack", client.statusOf(400)]);
      expect(body.message).toContain("basic, pro, premium, agency");
    }
    for (const input of [{}, { pack: 1 }, { pack: null }, { pack: ["basic"] }])
      expect((await client.call("buy_credits", input, { key })).code).toBe("invalid_request");
    expect([await ordersOf(id), calls.length]).toEqual([[], before]);
    expect(await linksCounted(id)).toBe(0);
  });

  test("401, 403: without a credential, and without the scope", async () => {
    const before = calls.length;
    const { id, key } = await service.account({ scopes: ["read", "index"] });
    const none = await client.call("buy_credits", { pack: "basic" });
    expect([none.code, none.status]).toEqual(["unauthorized", 401]);
    const scoped = await client.call("buy_credits", { pack: "basic" }, { key });
    expect([scoped.code, scoped.status, scoped.body.required_scope]).toEqual(["insufficient_scope", 403, "purchase"]);
    expect(calls.length).toBe(before);
    expect(await ordersOf(id)).toHaveLength(1);
  });

  test("429 rate_limited: the 21st link of an hour", async () => {
    const { id, key } = await unpaid();
    for (let link = 1; link <= LIMITS.checkout_links.count; link += 1)
      expect((await client.call("buy_credits", { pack: "basic" }, { key })).ok).toBe(true);
    const before = calls.length;
    const { code, status, headers } = await client.call("buy_credits", { pack: "basic" }, { key });
    expect([code, status, calls.length]).toEqual(["rate_limited", 429, before]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await ordersOf(id)).toHaveLength(20);
    clock.pass(HOUR);
    expect((await client.call("buy_credits", { pack: "basic" }, { key })).ok).toBe(true);
  });

  test("503 unavailable: Stripe is down; nothing is stored, no text of Stripe is returned, and the key can be used again", async () => {
    const keys = { ...(await unpaid()), idempotencyKey: "once" };
    world.answer("stripe", STRIPE_DOWN);
    const { code, status, headers, body } = await client.call("buy_credits", { pack: "basic" }, keys);
    expect([code, status]).toEqual(["unavailable", client.statusOf(503)]);
    if (status === 503) expect(headers.get("retry-after")).toBe("15");
    expect(JSON.stringify([body, errors])).not.toMatch(/secret|bad day/);
    expect(errors).toMatchObject([{ type: "StripeAPIError", status: 500 }]);
    expect([await ordersOf(keys.id), await linksCounted(keys.id)]).toEqual([[], 0]);
    world.heal();
    expect((await client.call("buy_credits", { pack: "basic" }, keys)).ok).toBe(true);
    expect(await ordersOf(keys.id)).toHaveLength(1);
  });
});

async function linksCounted(accountId: string): Promise<number> {
  const { windows } = db.t;
  const rows = await db.q.select().from(windows).where(eq(windows.subject, accountId));
  return rows.reduce((sum, { count }) => sum + count, 0);
}

const buy = (key: string, body: object = { pack: "basic" }, headers = {}) =>
  service.request("POST", "/checkout", { key, body, headers });

describe("the request to Stripe", () => {
  test("names the order in every field where it is looked for, has one price, and no payment method", async () => {
    const { id, key } = await unpaid();
    const { json } = await buy(key);
    const { body, headers } = calls.at(-1)!;
    const { email } = await accountById(db, id);
    const metadata = { order_id: json.order.id };
    expect(parseBrackets(body)).toEqual({
      mode: "payment",
      adaptive_pricing: { enabled: "false" },
      client_reference_id: json.order.id,
      customer_email: email,
      metadata,
      payment_intent_data: { metadata },
      line_items: {
        0: {
          quantity: "1",
          price_data: { currency: "usd", unit_amount: "999", product_data: { name: "Basic: 150 credits" } },
        },
      },
      expires_at: String(Date.parse(json.expires_at) / 1000),
      success_url: `http://beckon.test/checkout/done?order=${json.order.id}`,
      cancel_url: `http://beckon.test/checkout/cancelled?order=${json.order.id}`,
    });
    expect(headers["idempotency-key"]).toBe(json.order.id);
    expect(headers["stripe-version"]).toBe("2026-10-28.endive");
    expect(headers["x-stripe-client-telemetry"]).toBeUndefined();
  });

  test("a request whose connection breaks is repeated with the same key, so that there is one page", async () => {
    const { key } = await unpaid();
    const before = sessionsMade();
    world.fail("stripe", { answer: "drop", afterActing: true, times: 1 });
    const { status, json } = await buy(key);
    expect([status, sessionsMade()]).toEqual([201, before + 1]);
    expect([...account.sessions.values()].at(-1)!.url).toBe(json.checkout_url);
    const [first, second] = calls.slice(-2);
    expect(first!.headers["idempotency-key"]).toBe(second!.headers["idempotency-key"]);
  });

  test("an e-mail address that Stripe refuses is left for the payer to enter", async () => {
    const { id, key } = await unpaid();
    await db.tx((tx) => changeOwner(tx, id, { email: `${id}@nowhere.invalid` }));
    expect((await buy(key)).status).toBe(201);
    expect(parseBrackets(calls.at(-1)!.body).customer_email).toBeUndefined();
  });

  test("503 unavailable: the answer is not JSON, or the key is refused", async () => {
    const { id, key } = await unpaid();
    world.answer("stripe", { status: 200, body: "<html>secret-gateway</html>" }, 1);
    expect((await buy(key)).json.error.code).toBe("unavailable");
    world.answer("stripe", { status: 401, body: { error: { type: "invalid_request_error", message: "secret" } } }, 1);
    expect((await buy(key)).json.error.code).toBe("unavailable");
    expect(JSON.stringify(errors)).not.toContain("secret");
    expect(errors).toHaveLength(2);
    expect(await ordersOf(id)).toEqual([]);
  });
});

test("503 unavailable: the deployment takes no cards; no order is created", async () => {
  const none = await testService({ config: { cards: "none" } });
  const { key } = await none.account();
  const { status, json, headers } = await none.request("POST", "/checkout", { key, body: { pack: "basic" } });
  expect([status, json.error.message]).toEqual([503, expect.stringContaining("takes no cards")]);
  expect(headers.get("retry-after")).toBe("3600");
  await none.close();
});

describe("from the link to the credits", () => {
  test("paid, refunded in parts, disputed and won: the books follow Stripe's events", async () => {
    const { id, key } = await unpaid();
    const { order } = (await buy(key, { pack: "pro" })).json;
    const { reference } = (await ordersOf(id))[0]!;
    const read = async () => (await service.request("GET", `/orders/${order.id}`, { key })).json;
    const balance = async () => (await service.request("GET", "/account", { key })).json;

    expect(await deliver(account.pay(reference!))).toBe(200);
    expect(await read()).toMatchObject({ status: "paid", paid_at: new Date(clock.now()).toISOString() });
    expect(await balance()).toMatchObject({ credits: 500, paid: true });
    const urls = ["https://example.com/1"];
    expect((await service.request("POST", "/projects", { key, body: { urls } })).status).toBe(201);

    const [first, second] = [account.refund(reference!, 300), account.refund(reference!, 600)];
    expect([await deliver(second), await deliver(first)]).toEqual([200, 200]);
    expect(await balance()).toMatchObject({ credits: 499 - 150, paid: true });
    expect(await deliver(account.dispute(reference!))).toBe(200);
    expect(await balance()).toMatchObject({ credits: -1, paid: false });
    expect((await read()).status).toBe("disputed");
    expect(await deliver(account.dispute(reference!, "won", "closed"))).toBe(200);
    expect(await balance()).toMatchObject({ credits: 499 - 150, paid: true });
    for (const event of account.events) expect(await deliver(event)).toBe(200);
    expect(await balance()).toMatchObject({ credits: 499 - 150, paid: true });
    expect(errors).toEqual([]);
    expect((await audit(db)).problems).toEqual([]);
  });

  test("a debit may arrive days later, after its page has expired", async () => {
    const { id, key } = await unpaid();
    await buy(key);
    const { reference } = (await ordersOf(id))[0]!;
    expect(await deliver(account.payLater(reference!))).toBe(200);
    clock.pass(5 * DAY);
    expect(await deliver(account.arrive(reference!))).toBe(200);
    expect((await ordersOf(id))[0]!.status).toBe("paid");
  });

  test("a crash between the payment page and the order: the page is unknown, and the call can be repeated", async () => {
    const { id, key } = await unpaid();
    const engine = db as { tx: Engine["tx"] };
    const real = engine.tx;
    engine.tx = (work) =>
      real(async (tx) => {
        const result = await work(tx);
        const orders = await tx.q.select().from(tx.t.orders).where(eq(tx.t.orders.accountId, id));
        if (orders.length > 0) throw new Error("the process died");
        return result;
      });
    const crashed = await buy(key, { pack: "basic" }, { "Idempotency-Key": "one" });
    engine.tx = real;
    expect([crashed.status, await ordersOf(id)]).toEqual([500, []]);
    const orphan = [...account.sessions.values()].at(-1)!;

    const again = await buy(key, { pack: "basic" }, { "Idempotency-Key": "one" });
    expect([again.status, (await ordersOf(id)).length]).toEqual([201, 1]);
    expect(again.json.checkout_url).not.toBe(orphan.url);
    errors.length = 0;
    clock.pass(DAY);
    const expired = account.expire(orphan.id);
    expect([await deliver(expired), await recordOf(db, expired)]).toEqual([200, { order: null, problem: null }]);
    expect(errors).toEqual([]);
  });
});

test("STRIPE_TAX: the price contains the tax that Stripe works out, and the order keeps it", async () => {
  const taxed = await stripeService({ isTaxed: true });
  const { db } = taxed.service;
  const { id, key } = await taxed.service.account({ paid: false, credits: 0 });
  const { status } = await taxed.service.request("POST", "/checkout", { key, body: { pack: "pro" } });
  const price = { unit_amount: "2999", tax_behavior: "inclusive" };
  expect([status, parseBrackets(taxed.calls.at(-1)!.body)]).toMatchObject([
    201,
    { automatic_tax: { enabled: "true" }, line_items: { 0: { price_data: price } } },
  ]);
  const [order] = await db.q.select().from(db.t.orders);
  expect(await taxed.deliver(taxed.account.pay(order!.reference!))).toBe(200);
  const [paid] = await db.q.select().from(db.t.orders);
  expect(paid).toMatchObject({ accountId: id, status: "paid", amountCents: 2_999, taxCents: 500, receiptNo: 1 });
});
