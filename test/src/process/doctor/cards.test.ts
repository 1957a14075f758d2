import { expect, test } from "vitest";
import { applyCardEvent } from "../../../../src/domain/payments/cards/apply-event.ts";
import type { CardDeps } from "../../../../src/domain/payments/cards/deps.ts";
import { cardEventOf } from "../../../../src/domain/payments/cards/stripe/event.ts";
import { openOrder } from "../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { type Config, readConfig } from "../../../../src/platform/config/config.ts";
import { checkCards } from "../../../../src/process/doctor/cards.ts";
import type { Instance } from "../../../../src/process/instance.ts";
import { testStore } from "../../../support/database/store.ts";
import { eventsFor, openCardOrder, type WireEvent } from "../../../support/payments/card-events.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const STRIPE = { secretKey: "sk_test_1", webhookSecret: "whsec_1", url: undefined, hasTax: false };

function check(more: Partial<Config> = {}) {
  const { db, clock } = store;
  return checkCards({ db, clock, config: { ...readConfig({}), ...more } } as unknown as Instance);
}

const hear = (id: string, at: number, more: { type?: string; orderId?: string; problem?: string } = {}) =>
  store.db.tx((tx) =>
    tx.q.insert(tx.t.cardEvents).values({ id, type: "charge.refunded", orderId: null, problem: null, at, ...more }),
  );

test.each([
  [{ cards: "none" }, "not taken: STRIPE_SECRET_KEY is not set"],
  [{ cards: "sandbox" }, "the payment page of the sandbox, where no money moves; no event has come yet"],
  [{ cards: "stripe", stripe: { ...STRIPE, isLive: false } }, "Stripe, with test keys; no event has come yet"],
  [{ cards: "stripe", stripe: { ...STRIPE, isLive: true } }, "Stripe, with real money; no event has come yet"],
] as const)("in order: %j", async (config, found) => {
  expect(await check(config)).toEqual({ name: "Cards", ok: true, found });
});

test("in order: says how many events came lately, and when the last one did", async () => {
  await hear("evt_1", store.clock.now() - 2 * DAY);
  await hear("evt_2", store.clock.now() - 2 * HOUR);
  await hear("evt_3", store.clock.now() - HOUR);
  expect((await check()).found).toMatch(/; 2 events in 24 hours, the last 2026-01-05T11:00:00/);
});

test("not in order for a month: an event that changed nothing although it should have", async () => {
  await hear("evt_1", store.clock.now() - 2 * DAY, { problem: "Its refund cannot be read." });
  await hear("evt_2", store.clock.now() - DAY, { orderId: "ord_1", problem: "Its amount is 1, and the order's 999." });
  const result = await check();
  expect(result).toMatchObject({ ok: false, remedy: expect.stringContaining("card processor") });
  expect(result.found).toMatch(
    /^2026-01-04T.* charge.refunded evt_2 for ord_1: Its amount is 1, .* 999\.; 1 more before it$/,
  );
  store.clock.pass(30 * DAY);
  expect((await check()).ok).toBe(true);
});

test("not in order: an order pending an hour after its page closed, unless its money is on the way", async () => {
  const accountId = await store.account(0);
  const now = store.clock.now();
  const page = (name: string, hours: number) =>
    store.db.tx((tx) => {
      const checkout = { url: "https://pay.test", reference: name, expiresAt: now + hours * HOUR };
      return openOrder(tx, { id: `ord_${name}`, accountId, pack: PACKS[0], method: "sandbox", now, checkout });
    });
  await page("slow", 1);
  await hear("evt_slow", now, { type: "checkout.session.completed", orderId: "ord_slow" });
  store.clock.pass(3 * HOUR);
  expect((await check()).ok).toBe(true);
  await page("open", 23);
  await page("closed a moment ago", 2.5);
  expect((await check()).ok).toBe(true);
  await page("late", 1);
  expect(await check()).toMatchObject({
    ok: false,
    found: "1 orders are pending although their payment page is closed",
    remedy: expect.stringContaining("Start the service"),
  });
});

test("not in order for a month: a refund of an order that failed, unless the order was refunded since", async () => {
  const order = await openCardOrder(store.db, await store.account(0), { now: store.clock.now() });
  const { db, clock } = store;
  const cards = { method: "stripe", isLive: false } as NonNullable<CardDeps["payments"]["cards"]>;
  const take = (event: WireEvent) =>
    applyCardEvent({ db, clock, payments: { cards }, log: { error: () => undefined } }, cardEventOf(event)!);
  const e = eventsFor(order);
  const failed = e.refund("1", { cents: 999, status: "failed" });
  await take(failed);
  expect((await check()).ok).toBe(true);
  await take(e.paid());
  const result = await check();
  expect(result).toMatchObject({ ok: false, remedy: expect.stringContaining("credits grant") });
  expect(result.found).toBe(`2026-01-05T12:00:00.000Z refund ${failed.data.object.id} of $9.99 for ${order.id} failed`);
  await take(e.refund("2", { cents: 999 }));
  expect((await check()).ok).toBe(true);
  await take(e.refund("2", { cents: 999, status: "failed" }));
  expect((await check()).found).toMatch(/; 1 more before it$/);
  clock.pass(31 * DAY);
  expect((await check()).ok).toBe(true);
});
