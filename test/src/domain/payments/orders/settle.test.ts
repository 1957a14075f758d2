import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  ORDER_STATUSES,
  type OrderRow,
  type OrderStatus,
  openOrder,
} from "../../../../../src/domain/payments/orders/orders.ts";
import { PACKS, type Pack } from "../../../../../src/domain/payments/orders/packs.ts";
import { closeOrder, type Money, settleOrder } from "../../../../../src/domain/payments/orders/settle.ts";
import { fuzzRuns } from "../../../../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../../../../support/database/database.ts";
import { isUniqueViolation } from "../../../../support/database/raw-query.ts";
import { testStore } from "../../../../support/database/store.ts";
import { eachTest } from "../../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
let causes = 0;
beforeEach(async () => {
  accountId = await store.account(0);
});

const NOT_YET: Money = { arrived: false, refundedCents: 0, contested: false };
const ARRIVED: Money = { ...NOT_YET, arrived: true };
const CONTESTED: Money = { ...ARRIVED, contested: true };
const refunded = (refundedCents: number): Money => ({ ...ARRIVED, refundedCents });

const open = (pack: Pack = PACKS[0], credits?: number) =>
  store.db.tx((tx) =>
    openOrder(tx, { accountId, pack, method: "stripe", now: 1, ...(credits === undefined ? {} : { credits }) }),
  );

/** Tells an order of its money, as it is by now. */
async function settle({ id }: OrderRow, money: Money, source = `cause ${++causes}`, now = 2): Promise<OrderRow> {
  const { orders } = store.db.t;
  return store.db.tx(async (tx) => {
    const [order] = await tx.q.select().from(orders).where(eq(orders.id, id));
    return settleOrder(tx, order!, money, { source, now });
  });
}

async function statusAfter(order: OrderRow, close: "expired" | "failed"): Promise<string> {
  await store.db.tx((tx) => closeOrder(tx, order.id, close));
  const { orders } = store.db.t;
  const [row] = await store.db.q.select().from(orders).where(eq(orders.id, order.id));
  return row!.status;
}

const ledgerOf = async (order: OrderRow) => {
  const { ledger } = store.db.t;
  const rows = await store.db.q.select().from(ledger).where(eq(ledger.orderId, order.id)).orderBy(ledger.no);
  return rows.map(({ kind, credits }) => `${kind} ${credits}`);
};

describe("credits and ledger follow from what is known of the money", () => {
  /** Each step: the money, and then status, credits taken back of 150, and the entry that it makes. */
  const histories: readonly (readonly [string, readonly (readonly [Money, OrderStatus, number, string?])[]])[] = [
    ["no money yet", [[NOT_YET, "pending", 0]]],
    ["paid", [[ARRIVED, "paid", 0, "purchase 150"]]],
    [
      "told twice",
      [
        [ARRIVED, "paid", 0, "purchase 150"],
        [ARRIVED, "paid", 0],
      ],
    ],
    [
      "part of it back",
      [
        [ARRIVED, "paid", 0, "purchase 150"],
        [refunded(300), "paid", 45, "adjustment -45"],
      ],
    ],
    [
      "all of it back, in parts",
      [
        [refunded(300), "paid", 45, "purchase 150, adjustment -45"],
        [refunded(998), "paid", 150, "adjustment -105"],
        [refunded(999), "refunded", 150],
      ],
    ],
    ["more than all", [[refunded(5_000), "refunded", 150, "purchase 150, adjustment -150"]]],
    [
      "contested and won",
      [
        [ARRIVED, "paid", 0, "purchase 150"],
        [CONTESTED, "disputed", 150, "adjustment -150"],
        [ARRIVED, "paid", 0, "adjustment 150"],
      ],
    ],
    [
      "contested after a part went back",
      [
        [refunded(300), "paid", 45, "purchase 150, adjustment -45"],
        [{ ...refunded(300), contested: true }, "disputed", 150, "adjustment -105"],
        [refunded(300), "paid", 45, "adjustment 105"],
      ],
    ],
    [
      "contested and given back",
      [[{ ...refunded(999), contested: true }, "disputed", 150, "purchase 150, adjustment -150"]],
    ],
    [
      "vanished with a block of its chain, and there again",
      [
        [ARRIVED, "paid", 0, "purchase 150"],
        [NOT_YET, "failed", 150, "adjustment -150"],
        [ARRIVED, "paid", 0, "adjustment 150"],
      ],
    ],
  ];

  test.each(histories)("%s", async (_, steps) => {
    const order = await open();
    const entries: string[] = [];
    for (const [money, status, takenBack, entry] of steps) {
      const settled = await settle(order, money);
      if (entry) entries.push(...entry.split(", "));
      expect([settled.status, settled.takenBack]).toEqual([status, takenBack]);
      expect(await ledgerOf(order)).toEqual(entries);
      expect(await store.balance(accountId)).toBe(settled.paidAt === null ? 0 : 150 - takenBack);
    }
  });

  test("the time of payment is kept, whatever happens to the money", async () => {
    const order = await open();
    await settle(order, ARRIVED, "one", 5);
    for (const money of [refunded(999), CONTESTED, NOT_YET, ARRIVED])
      expect((await settle(order, money, `at ${++causes}`, 9)).paidAt).toBe(5);
  });

  test("the same cause is never booked twice, not even with other money", async () => {
    const order = await open();
    await settle(order, ARRIVED);
    await settle(order, refunded(300), "evt_1");
    await expect(settle(order, refunded(600), "evt_1")).rejects.toSatisfy(isUniqueViolation);
    expect(await ledgerOf(order)).toEqual(["purchase 150", "adjustment -45"]);
    expect((await settle(order, refunded(300))).takenBack).toBe(45);
  });

  test("an order without credits is paid, and has no ledger entry", async () => {
    const order = await open(PACKS[0], 0);
    expect((await settle(order, ARRIVED)).status).toBe("paid");
    expect((await settle(order, CONTESTED)).status).toBe("disputed");
    expect(await ledgerOf(order)).toEqual([]);
  });
});

describe("what the ledger says of an order", () => {
  const cases: readonly { paid: string; transaction?: string; isTest?: true; steps: [Money, string][] }[] = [
    {
      paid: "by card",
      steps: [
        [ARRIVED, "150 credits bought by card (pack basic)"],
        [refunded(300), "Credits taken back for a partial refund"],
        [refunded(999), "Credits taken back for a refund"],
        [ARRIVED, "Credits of order ID restored"],
        [CONTESTED, "Credits taken back for a disputed payment"],
        [ARRIVED, "Credits of order ID restored"],
        [NOT_YET, "Credits taken back: the payment failed after all"],
      ],
    },
    {
      paid: "by a wallet",
      transaction: "0x1",
      steps: [
        [ARRIVED, "150 credits bought by direct payment (pack basic)"],
        [NOT_YET, "Credits taken back: the payment vanished from its chain"],
        [ARRIVED, "Credits of order ID restored"],
        [CONTESTED, "Credits taken back for a disputed payment"],
      ],
    },
    {
      paid: "by a test card",
      isTest: true,
      steps: [[ARRIVED, "150 credits bought by card (pack basic, test payment)"]],
    },
  ];

  test.each(cases)("that was paid $paid", async ({ transaction = null, isTest, steps }) => {
    const { orders, ledger } = store.db.t;
    const { id } = await open();
    await store.db.tx((tx) => tx.q.update(orders).set({ transaction }).where(eq(orders.id, id)).returning());
    for (const [money] of steps)
      await store.db.tx(async (tx) => {
        const [order] = await tx.q.select().from(orders).where(eq(orders.id, id));
        await settleOrder(tx, order!, money, { source: `cause ${++causes}`, now: 2, ...(isTest && { isTest }) });
      });
    const entries = await store.db.q.select().from(ledger).where(eq(ledger.orderId, id)).orderBy(ledger.no);
    expect(entries.map(({ description }) => description.replace(id, "ID"))).toEqual(steps.map(([, text]) => text));
  });
});

test("each payment of an account has the next number of a receipt, and what the operator grants has none", async () => {
  const grant = () => store.db.tx((tx) => openOrder(tx, { accountId, pack: PACKS[0], method: "operator", now: 1 }));
  const numbers = [];
  for (const order of [await open(), await grant(), await open(), await open()])
    numbers.push((await settle(order, ARRIVED)).receiptNo);
  // The account was opened with an order of no credits.
  expect(numbers).toEqual([2, null, 3, 4]);
});

test("what is granted for nothing is paid, and nothing of it is taken back by a refund", async () => {
  const order = await open();
  const { orders } = store.db.t;
  await store.db.tx((tx) => tx.q.update(orders).set({ amountCents: 0 }).where(eq(orders.id, order.id)).returning());
  expect(await settle(order, refunded(0))).toMatchObject({ status: "paid", takenBack: 0 });
  expect(await ledgerOf(order)).toEqual(["purchase 150"]);
});

test("a payment is told of once, and each time that more is taken back, but not when some is given back", async () => {
  const order = await open();
  const { events } = store.db.t;
  for (const money of [ARRIVED, ARRIVED, refunded(300), refunded(300), ARRIVED, refunded(999)])
    await settle(order, money);
  const told = await store.db.q.select().from(events).orderBy(events.no);
  const facts = {
    order_id: order.id,
    pack: "basic",
    credits: 150,
    amount_cents: 999,
    currency: "usd",
    method: "stripe",
  };
  expect(told.filter(({ data }) => data.includes(order.id)).map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
    ["order.paid", facts],
    ["order.refunded", { ...facts, credits_taken_back: 45, status: "paid" }],
    ["order.refunded", { ...facts, credits_taken_back: 150, status: "refunded" }],
  ]);
});

describe("an order that is final", () => {
  const outcomes: readonly (readonly [OrderStatus, "expired" | "failed", OrderStatus])[] = ORDER_STATUSES.flatMap(
    (from) => [
      [from, "expired", from === "pending" ? "expired" : from],
      [from, "failed", from === "pending" || from === "expired" ? "failed" : from],
    ],
  ) as never;

  test.each(outcomes)("%s, and answered %s, is %s", async (from, told, to) => {
    const order = await open();
    const { orders } = store.db.t;
    await store.db.tx(async (tx) => {
      await tx.q.update(orders).set({ status: from }).where(eq(orders.id, order.id)).returning();
    });
    expect(await statusAfter(order, told)).toBe(to);
  });

  test.each(["expired", "failed"] as const)("%s, and then paid, is paid", async (over) => {
    const order = await open();
    expect(await statusAfter(order, over)).toBe(over);
    expect((await settle(order, ARRIVED)).status).toBe("paid");
    expect(await statusAfter(order, over)).toBe("paid");
    expect(await ledgerOf(order)).toEqual(["purchase 150"]);
  });
});

const money = (pack: Pack): fc.Arbitrary<Money> =>
  fc.record({
    arrived: fc.boolean(),
    contested: fc.boolean(),
    refundedCents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: pack.amountCents * 2 })),
  });

test("law: the result follows from the last state of the money alone, and never more credits are taken than were given", async () => {
  const history = fc
    .constantFrom(...PACKS)
    .chain((pack) => fc.tuple(fc.constant(pack), fc.array(money(pack), { minLength: 1, maxLength: 8 })));
  await fc.assert(
    fc.asyncProperty(history, async ([pack, steps]) => {
      const before = await store.balance(accountId);
      const [order, direct] = [await open(pack), await open(pack)];
      let settled = order;
      for (const step of steps) {
        settled = await settle(order, step);
        expect(settled.takenBack).toBeGreaterThanOrEqual(0);
        expect(settled.takenBack).toBeLessThanOrEqual(pack.credits);
      }
      const last = steps.at(-1)!;
      const hasArrived = steps.some(({ arrived }) => arrived);
      const gained = hasArrived ? pack.credits - settled.takenBack : 0;
      expect((await store.balance(accountId)) - before).toBe(gained);
      if (!last.arrived) return;
      const alone = await settle(direct, last);
      expect([settled.status, settled.takenBack]).toEqual([alone.status, alone.takenBack]);
    }),
    { numRuns: fuzzRuns(isOnPostgres ? 15 : 60), seed: 5 },
  );
  expect(await store.problems().then((all) => all.filter((one) => /ledger|balance|entry/.test(one)))).toEqual([]);
});

test("law: a larger refund never takes fewer credits, and a full one takes them all", async () => {
  for (const pack of PACKS) {
    const order = await open(pack);
    let before = 0;
    for (let cents = 0; cents < pack.amountCents; cents += Math.ceil(pack.amountCents / 20)) {
      const { takenBack } = await settle(order, refunded(cents));
      expect(takenBack).toBeGreaterThanOrEqual(before);
      expect(Math.abs(takenBack - (pack.credits * cents) / pack.amountCents)).toBeLessThanOrEqual(0.5);
      before = takenBack;
    }
    expect((await settle(order, refunded(pack.amountCents))).takenBack).toBe(pack.credits);
  }
});
