import { afterEach, beforeEach, expect, test } from "vitest";
import { setDisabled } from "../../../../src/domain/accounts/disable.ts";
import { type OrderRow, openOrder } from "../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { type Money, settleOrder } from "../../../../src/domain/payments/orders/settle.ts";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import type { Engines, SendBatch, Submitter } from "../../../../src/indexing/engines/engine.ts";
import { DAY, HOUR, MINUTE, timesOf } from "../../../../src/platform/clock.ts";
import { pages, type TestStore, testStore } from "../../../support/database/store.ts";
import { type TestChecker, testChecker } from "../../../support/service/checker.ts";

const [BASIC] = PACKS;
const ARRIVED: Money = { arrived: true, refundedCents: 0, contested: false };
const REFUNDED: Money = { ...ARRIVED, refundedCents: BASIC.amountCents };

let store: TestStore;
let work: TestChecker;
/** `LANE URL` of each URL sent and `lookup URL` of each one looked up, in order. */
let calls: string[];
let account: string;
let order: OrderRow;
let start: number;

beforeEach(async () => {
  store = await testStore();
  calls = [];
  work = testChecker(store, recording);
  account = await store.account(0);
  order = await buy("first");
  start = store.clock.service();
});
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
  expect(work.troubles).toEqual([]);
  await store.close();
});

function recording({ submitters, verifier, ...sandbox }: Engines): Engines {
  const record = (lane: string, urls: readonly string[]) => calls.push(...urls.map((url) => `${lane} ${url}`));
  const recorded = (lane: string, submitter: Submitter) => ({
    async send(batch: SendBatch) {
      record(lane, batch.urls);
      return submitter.send(batch);
    },
  });
  const { google, bing, yandex } = submitters;
  return {
    ...sandbox,
    submitters: {
      google: recorded("google", google!),
      bing: recorded("bing", bing!),
      yandex: recorded("yandex", yandex!),
    },
    verifier: {
      async check(batch) {
        record(
          "lookup",
          batch.links.map(({ url }) => url),
        );
        return verifier.check(batch);
      },
    },
  };
}

/** 150 credits. */
async function buy(id: string): Promise<OrderRow> {
  const now = store.clock.now();
  return store.db.tx(async (tx) => {
    const opened = await openOrder(tx, { id, accountId: account, pack: BASIC, method: "sandbox", now });
    return settleOrder(tx, opened, ARRIVED, { source: id, now });
  });
}

let causes = 0;
const settle = async (money: Money) => {
  const cause = { source: `event ${causes++}`, now: store.clock.now() };
  const payment = { id: "pi", orderId: order.id, refundedCents: money.refundedCents };
  order = await store.db.tx(async (tx) => {
    const { cardPayments } = tx.t;
    await tx.q.insert(cardPayments).values(payment).onConflictDoUpdate({ target: cardPayments.id, set: payment });
    return settleOrder(tx, order, money, cause);
  });
};

const statusOf = async (project: ProjectRow) => {
  const { waiting, checking, indexed, notIndexed, failed } = await store.reload(project);
  return { waiting, checking, decided: indexed + notIndexed + failed };
};

test("402 insufficient_credits: with a balance below zero nothing can be bought with credits, however little", async () => {
  await store.index(account, pages(1));
  await settle(REFUNDED);
  expect(await store.balance(account)).toBe(-1);
  const before = await store.ledger(account);
  for (const spend of [() => store.index(account, pages(1)), () => store.check(account, pages(1))]) {
    await expect(spend()).rejects.toMatchObject({ code: "insufficient_credits", fields: { needed: 1, balance: -1 } });
  }
  expect(await store.ledger(account)).toEqual(before);
});

test("balance below zero: waiting links are held in every lane, drip slots too, and go on within an hour of a purchase", async () => {
  const urls = pages(6, "day_4");
  const project = await store.index(account, urls, { bing: true, yandex: true, dripDays: 1 });
  await settle(REFUNDED);
  await work.until(start + 2 * DAY);
  expect(calls).toEqual([]);
  expect(await statusOf(project)).toEqual({ waiting: 6, checking: 0, decided: 0 });

  await buy("second");
  await work.until(start + 2 * DAY + HOUR);
  expect(await statusOf(project)).toEqual({ waiting: 0, checking: 6, decided: 0 });
  expect(calls.toSorted()).toEqual(
    ["bing", "google", "yandex"].flatMap((lane) => urls.map((url) => `${lane} ${url}`)).toSorted(),
  );
});

test("disabled account: waiting links are held, sent ones are checked to the end, and go on once it is enabled", async () => {
  const set = (reason: string | null) =>
    store.db.tx((tx) => setDisabled(tx, { accountId: account, reason, times: timesOf(store.clock) }));
  const sent = await store.index(account, pages(2, "day_4"));
  await work.until(start);
  const held = await store.index(account, pages(3, "day_4"));
  await set("Complaints reached us.");
  await work.until(start + 5 * DAY);
  expect(await statusOf(sent)).toMatchObject({ decided: 2 });
  expect(await statusOf(held)).toEqual({ waiting: 3, checking: 0, decided: 0 });
  await set(null);
  await work.until(start + 5 * DAY + HOUR);
  expect(await statusOf(held)).toEqual({ waiting: 0, checking: 3, decided: 0 });
});

test("a balance of zero holds nothing, and neither does another account's", async () => {
  const other = await store.account(5);
  const spent = await store.index(account, pages(150, "day_4"));
  const theirs = await store.index(other, pages(5, "day_4"));
  await work.until(start);
  expect([await store.balance(account), (await statusOf(spent)).checking]).toEqual([0, 150]);
  await settle(REFUNDED);
  expect((await statusOf(theirs)).checking).toBe(5);
});

test("balance below zero: sent links are checked to the end, and their returned credits release the others", async () => {
  const sent = await store.index(account, pages(100, "never"));
  await work.until(start);
  const held = await store.index(
    account,
    pages(50, "day_4").map((url) => `${url}&held`),
  );
  await settle({ ...ARRIVED, contested: true });
  expect(await store.balance(account)).toBe(-150);
  await work.until(start + 13 * DAY);
  expect([await statusOf(sent), await statusOf(held)]).toMatchObject([{ checking: 100 }, { waiting: 50 }]);
  await settle({ ...ARRIVED, refundedCents: 500 });
  expect(await store.balance(account)).toBe(-75);
  await work.until(start + 15 * DAY);
  expect(await store.balance(account)).toBe(25);
  expect([await statusOf(sent), await statusOf(held)]).toMatchObject([{ decided: 100 }, { checking: 50 }]);
});

test("balance below zero: cancelled links return their credits, which may be enough to release the others", async () => {
  const project = await store.index(account, pages(10, "day_4"));
  await settle({ ...ARRIVED, refundedCents: 986 });
  expect(await store.balance(account)).toBe(-8);
  await work.until(start + HOUR);
  const { clock, db } = store;
  const times = { service: clock.service(), now: clock.now() };
  const now = await store.reload(project);
  await db.tx((tx) => cancelLinks(tx, now, [0, 1, 2, 3, 4, 5, 6, 7], times));
  expect(await store.balance(account)).toBe(0);
  await work.until(start + 2 * HOUR);
  expect(await statusOf(project)).toEqual({ waiting: 0, checking: 2, decided: 8 });
});

test("balance below zero: a check project that has not begun waits until it is zero again, at most 48 hours", async () => {
  const check = await store.check(account, pages(20, "never"));
  await settle(REFUNDED);
  await work.until(start + 47 * HOUR);
  expect(calls).toEqual([]);
  expect(await statusOf(check)).toEqual({ waiting: 20, checking: 0, decided: 0 });
  await work.until(start + 48 * HOUR);
  expect(calls).toHaveLength(20);
});

test("balance below zero: a check project that has begun is finished", async () => {
  const check = await store.check(account, pages(20, "never"));
  await work.until(start);
  expect(await statusOf(check)).toEqual({ waiting: 0, checking: 20, decided: 0 });
  await settle(REFUNDED);
  await work.until(start + 31 * MINUTE);
  expect(await statusOf(check)).toEqual({ waiting: 0, checking: 0, decided: 20 });
});
