import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import * as chains from "viem/chains";
import { expect, test } from "vitest";
import { createAccount } from "../../../../src/domain/accounts/accounts.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { EXPLORERS, explorerUrl } from "../../../../src/domain/payments/explorers.ts";
import { openOrder } from "../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { settleOrder } from "../../../../src/domain/payments/orders/settle.ts";
import { receiptOf } from "../../../../src/domain/payments/receipts.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const buyer = { name: "Ann", email: "ann@example.com" };
const ARRIVED = { arrived: true, refundedCents: 0, contested: false };

const account = async () => {
  const email = `${randomUUID()}@example.com`;
  return (await store.db.tx((tx) => createAccount(tx, { email, now: store.clock.now() }))).id;
};

const buy = (accountId: string) =>
  store.db.tx((tx) => bookSandboxOrder(tx, { accountId, pack: PACKS[0], now: store.clock.now() }));

const open = (accountId: string) =>
  store.db.tx((tx) => openOrder(tx, { accountId, pack: PACKS[1], method: "stripe", now: store.clock.now() }));

async function numbersOf(accountId: string): Promise<(number | null)[]> {
  const { orders } = store.db.t;
  const rows = await store.db.q.select().from(orders).where(eq(orders.accountId, accountId));
  return rows.map(({ receiptNo }) => receiptNo).sort((one, two) => one! - two!);
}

test("law: the receipts of an account are numbered without a gap, also of orders that are paid at once", async () => {
  const [one, two] = [await account(), await account()];
  await open(one);
  await Promise.all([one, two, one, one, two].map(buy));
  await buy(one);
  expect(await numbersOf(one)).toEqual([null, 1, 2, 3, 4]);
  expect(await numbersOf(two)).toEqual([1, 2]);
});

test("law: a refund, a dispute and an event that comes again leave number, day and tax as they were", async () => {
  const accountId = await account();
  const { id: orderId } = await open(accountId);
  const settle = (money: typeof ARRIVED, source: string, taxCents: number | null) =>
    store.db.tx(async (tx) => {
      const [order] = await tx.q.select().from(tx.t.orders).where(eq(tx.t.orders.id, orderId));
      return settleOrder(tx, order!, money, { source, now: store.clock.now(), taxCents });
    });
  const read = () => receiptOf(store.db, { accountId, orderId, buyer });
  expect(await read()).toBeNull();
  await settle(ARRIVED, "paid", 479);
  const first = await read();
  expect(first).toMatchObject({ taxCents: 479, refundedCents: 0, method: "card", isTest: false, transaction: null });
  expect(first!.number).toMatch(/^[0-9A-Z]{10}-0001$/);
  store.clock.pass(60_000);
  await settle({ ...ARRIVED, refundedCents: 2_999 }, "refund", null);
  await settle({ ...ARRIVED, contested: true }, "dispute", 12);
  const { number, paidAt, taxCents } = (await read())!;
  expect([number, paidAt, taxCents]).toEqual([first!.number, first!.paidAt, 479]);
});

test("null: an order of another account", async () => {
  const [mine, other] = [await account(), await account()];
  const orderId = await buy(other);
  expect(await receiptOf(store.db, { accountId: mine, orderId, buyer })).toBeNull();
  expect(await receiptOf(store.db, { accountId: other, orderId, buyer })).toMatchObject({ isTest: true, buyer });
});

test("explorers are viem's for the same chains; other chains have none", () => {
  const known = Object.values(chains as unknown as Record<string, chains.Chain>);
  for (const network of EXPLORERS.keys()) {
    const { blockExplorers } = known.find(({ id }) => network === `eip155:${id}`)!;
    expect(explorerUrl({ network, hash: "0xab" })).toBe(`${blockExplorers!.default.url}/tx/0xab`);
  }
  expect(explorerUrl({ network: "eip155:31337", hash: "0xab" })).toBeNull();
});
