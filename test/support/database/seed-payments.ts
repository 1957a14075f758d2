import { openOrder } from "../../../src/domain/payments/orders/orders.ts";
import { baseUnitsOf, PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { type Money, settleOrder } from "../../../src/domain/payments/orders/settle.ts";
import { pages, type TestStore } from "./store.ts";

const [BASIC] = PACKS;
const ARRIVED: Money = { arrived: true, refundedCents: 0, contested: false };

/** Books payments of every kind and state, correctly, for tests of copies and of the audit. */
export async function seedPayments(store: TestStore): Promise<void> {
  const accountId = await store.account(100);
  await store.account(0);
  await store.index(accountId, pages(3));
  await store.check(accountId, pages(2));
  await cardOrder(store, accountId, "open", null);
  await cardOrder(store, accountId, "whole", ARRIVED);
  await cardOrder(store, accountId, "part", { ...ARRIVED, refundedCents: 333 });
  await cardOrder(store, accountId, "back", { ...ARRIVED, refundedCents: 999 });
  await cardOrder(store, accountId, "fought", { ...ARRIVED, contested: true });
  await directOrder(store, accountId, "1", true);
  await directOrder(store, accountId, "2", false);
}

async function cardOrder(store: TestStore, accountId: string, name: string, money: Money | null): Promise<void> {
  const now = store.clock.now();
  await store.db.tx(async (tx) => {
    const checkout = { url: "https://pay.test", reference: `cs_${name}`, expiresAt: now + 1 };
    const order = { id: `ord_${name}`, accountId, pack: BASIC, method: "stripe", now, checkout } as const;
    const row = await openOrder(tx, order);
    if (!money) return;
    const payment = { id: `pi_${name}`, orderId: row.id, refundedCents: money.refundedCents };
    await tx.q.insert(tx.t.cardPayments).values(payment);
    if (money.contested)
      await tx.q.insert(tx.t.cardDisputes).values({ id: `dp_${name}`, paymentId: payment.id, state: "open" });
    await tx.q
      .insert(tx.t.cardEvents)
      .values({ id: `evt_${name}`, type: "x", orderId: row.id, problem: null, at: now });
    await settleOrder(tx, row, money, { source: `evt_${name}`, now });
  });
}

async function directOrder(store: TestStore, accountId: string, digit: string, stands: boolean): Promise<void> {
  const now = store.clock.now();
  const word = (length: number) => `0x${digit.repeat(length)}`;
  const [network, payer, asset, hash] = ["eip155:31337", word(40), `0x${"a".repeat(40)}`, word(64)];
  await store.db.tx(async (tx) => {
    const transaction = { network, hash, payer, amount: baseUnitsOf(BASIC), currency: asset };
    const id = `ord_direct${digit}`;
    const row = await openOrder(tx, { id, accountId, pack: BASIC, method: "evm", now, transaction });
    const paid = await settleOrder(tx, row, ARRIVED, { source: `arrived:${id}`, now });
    if (!stands) await settleOrder(tx, paid, { ...ARRIVED, arrived: false }, { source: `vanished:${id}`, now });
    await tx.q.insert(tx.t.directPayments).values({
      key: `${network}/${asset}/${payer}/${word(64)}`,
      accountId,
      pack: BASIC.id,
      credits: BASIC.credits,
      amountCents: BASIC.amountCents,
      amount: transaction.amount,
      network,
      asset,
      payer,
      payTo: `0x${"b".repeat(40)}`,
      nonce: word(64),
      validBefore: 1,
      state: stands ? "final" : "submitted",
      owner: null,
      lockedUntil: 0,
      sinceBlock: 1,
      hash: stands ? hash : null,
      block: stands ? 2 : null,
      transfer: stands ? `${hash}/0` : null,
      orderId: id,
      createdAt: now,
    });
  });
}
