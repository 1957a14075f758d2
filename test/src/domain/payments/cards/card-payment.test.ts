import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  lockPayment,
  moneyOf,
  recordArrival,
  recordRefund,
  recordRefunds,
  refundedCentsOf,
} from "../../../../../src/domain/payments/cards/card-payment.ts";
import type { RefundEvent, RefundsEvent } from "../../../../../src/domain/payments/cards/event.ts";
import { testStore } from "../../../../support/database/store.ts";
import { openCardOrder } from "../../../../support/payments/card-events.ts";
import { eachTest } from "../../../../support/service/each-test.ts";

const store = eachTest(testStore);

const PAYMENT = "pi_1";
const said = { id: "evt_1", isLive: false, paymentId: PAYMENT, currency: "usd" } as const;
const refund = (createdAt: number, change: Partial<RefundEvent> = {}): RefundEvent => ({
  ...{ ...said, type: "refund.updated", kind: "refund", refundId: "re_1", cents: 500, hasFailed: false, createdAt },
  ...change,
});
const failed = (createdAt: number) => refund(createdAt, { hasFailed: true });
const refunded = (refundedCents: number, createdAt: number): RefundsEvent => ({
  ...{ ...said, type: "charge.refunded", kind: "refunded", refundedCents, createdAt },
});

/** When the refund has failed, and when that was heard first. */
async function failure() {
  const { cardRefunds } = store.db.t;
  const [row] = await store.db.q.select().from(cardRefunds).where(eq(cardRefunds.id, "re_1"));
  return [row!.failedAt, row!.failureHeardAt];
}

test("law: a refund that has failed is heard of once, and failed at its first statement, whichever comes first", async () => {
  const heard = await store.db.tx(async (tx) => {
    await lockPayment(tx, PAYMENT);
    const news: boolean[] = [];
    for (const [event, now] of [
      [refund(10), 1_000],
      [failed(40), 2_000],
      [failed(20), 3_000],
      [failed(30), 4_000],
      [refund(50), 5_000],
    ] as const)
      news.push(await recordRefund(tx, event, now));
    return news;
  });
  expect(heard).toEqual([false, true, false, false, false]);
  expect(await failure()).toEqual([20, 2_000]);
});

test("law: what failed before all refunds were told together is no part of them, what failed since is", async () => {
  const given = (failedAt: number) =>
    store.db.tx(async (tx) => {
      const told = await recordRefunds(tx, await lockPayment(tx, PAYMENT), refunded(800, 30));
      await recordRefund(tx, failed(failedAt), 1_000);
      return (await moneyOf(tx, told)).refundedCents;
    });
  expect(await given(40)).toBe(300);
  expect(await given(30)).toBe(300);
  expect(await given(29)).toBe(800);
});

test("what was given back of an order is the sum of its payment; nothing where no card has paid it", async () => {
  const accountId = await store.account(0);
  const [paid, open] = [await openCardOrder(store.db, accountId), await openCardOrder(store.db, accountId)];
  await store.db.tx(async (tx) => {
    await recordArrival(tx, await lockPayment(tx, PAYMENT), { orderId: paid.id, createdAt: 1 });
    await recordRefund(tx, refund(2, { cents: 333 }), 1_000);
  });
  expect([await refundedCentsOf(store.db, paid.id), await refundedCentsOf(store.db, open.id)]).toEqual([333, 0]);
});
