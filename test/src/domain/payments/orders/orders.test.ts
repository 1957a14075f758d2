import { beforeEach, expect, test } from "vitest";
import { bookSandboxOrder } from "../../../../../src/domain/payments/cards/sandbox/book-order.ts";
import {
  isPaid,
  newOrderId,
  ORDER_STATUSES,
  type OrderStatus,
  openOrder,
  orderOf,
  ordersLike,
  ordersOf,
} from "../../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../../src/domain/payments/orders/packs.ts";
import { isUniqueViolation } from "../../../../support/database/raw-query.ts";
import { testStore } from "../../../../support/database/store.ts";
import { eachTest } from "../../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(0);
});

const order = { pack: PACKS[1], method: "stripe", now: 100 } as const;
const page = (reference: string) => ({ url: `https://pay.example/${reference}`, reference, expiresAt: 200 });

test("an order has the price and credits of its pack, and is pending", async () => {
  const row = await store.db.tx((tx) => openOrder(tx, { ...order, accountId, checkout: page("cs_1") }));
  expect(row).toMatchObject({
    accountId,
    pack: "pro",
    credits: 500,
    amountCents: 2999,
    currency: "usd",
    status: "pending",
  });
  expect(row).toMatchObject({
    checkoutUrl: "https://pay.example/cs_1",
    reference: "cs_1",
    createdAt: 100,
    expiresAt: 200,
  });
  expect([row.paidAt, row.takenBack, row.transaction]).toEqual([null, 0, null]);
  expect(row.id).toMatch(/^ord_[0-9a-z]{20}$/);
  expect(await orderOf(store.db, accountId, row.id)).toEqual(row);
  expect(await store.balance(accountId)).toBe(0);
});

test("an order gets the id for which its payment page was created", async () => {
  const id = newOrderId();
  expect((await store.db.tx((tx) => openOrder(tx, { ...order, id, accountId }))).id).toBe(id);
});

test("a payment page belongs to one order", async () => {
  const open = () => store.db.tx((tx) => openOrder(tx, { ...order, accountId, checkout: page("cs_1") }));
  await open();
  await expect(open()).rejects.toSatisfy(isUniqueViolation);
});

test("an order of another account is not found", async () => {
  const other = await store.account(0);
  const { id } = await store.db.tx((tx) => openOrder(tx, { ...order, accountId: other }));
  expect(await orderOf(store.db, accountId, id)).toBeNull();
  expect((await ordersOf(store.db, accountId, { status: "pending", limit: 10, offset: 0 })).rows).toEqual([]);
});

test.each(ORDER_STATUSES)("an account whose only order is %s is paid exactly when that is `paid`", async (status) => {
  const { id } = await store.db.tx((tx) => openOrder(tx, { ...order, accountId }));
  await setAll(status);
  expect(await isPaid(store.db, accountId)).toBe(status === "paid");
  expect(await isPaid(store.db, id)).toBe(false);
});

async function setAll(status: OrderStatus): Promise<void> {
  await store.db.tx(async (tx) => void (await tx.q.update(tx.t.orders).set({ status }).returning()));
}

test("orders are listed newest first, by pages and by status", async () => {
  await store.db.tx(async (tx) => void (await tx.q.delete(tx.t.orders).returning()));
  for (let now = 1; now <= 5; now += 1) await store.db.tx((tx) => openOrder(tx, { ...order, accountId, now }));
  await store.db.tx((tx) => bookSandboxOrder(tx, { accountId, pack: PACKS[0], now: 6 }));
  const times = async (status: OrderStatus | "any", limit: number, offset: number) => {
    const { rows, hasMore } = await ordersOf(store.db, accountId, { status, limit, offset });
    return [rows.map(({ createdAt }) => createdAt), hasMore];
  };
  expect(await times("any", 4, 0)).toEqual([[6, 5, 4, 3], true]);
  expect(await times("any", 4, 4)).toEqual([[2, 1], false]);
  expect(await times("any", 6, 0)).toEqual([[6, 5, 4, 3, 2, 1], false]);
  expect(await times("paid", 4, 0)).toEqual([[6], false]);
  expect(await times("refunded", 4, 0)).toEqual([[], false]);
});

test("orders are found by the beginning of their id, newest first, and only those of the account", async () => {
  await store.db.tx(async (tx) => void (await tx.q.delete(tx.t.orders).returning()));
  const open = (id: string, now: number, owner = accountId) =>
    store.db.tx((tx) => openOrder(tx, { ...order, id, accountId: owner, now }));
  const other = await store.account(0);
  await open("ord_ab1", 1);
  await open("ord_ab2", 2);
  await open("ord_b", 3);
  await open("ord_ab3", 4, other);
  const found = async (text: string, limit = 5) =>
    (await ordersLike(store.db, accountId, text, limit)).map(({ id }) => id);
  expect(await found("ord_")).toEqual(["ord_b", "ord_ab2", "ord_ab1"]);
  expect(await found("ord_ab")).toEqual(["ord_ab2", "ord_ab1"]);
  expect(await found("ord_ab", 1)).toEqual(["ord_ab2"]);
  for (const text of ["", "ab", "xord_ab", "ord_a%", "ord_%", "ord_AB", "ord", "%ord_ab1"])
    expect(await found(text)).toEqual([]);
});

test("an order of the sandbox is paid at once, with the given credits or the credits of its pack", async () => {
  const id = await store.db.tx((tx) => bookSandboxOrder(tx, { accountId, pack: PACKS[0], now: 7 }));
  expect(await orderOf(store.db, accountId, id)).toMatchObject({ status: "paid", method: "sandbox", paidAt: 7 });
  await store.db.tx((tx) => bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 7, now: 8 }));
  expect(await store.balance(accountId)).toBe(157);
  expect(await store.problems()).toEqual([]);
});
