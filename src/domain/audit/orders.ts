import type { OrderRow } from "../payments/orders/orders.ts";
import { duplicates, expect } from "./expect.ts";
import type { Entry } from "./ledgers.ts";
import type { MoneyOf, MoneyReader } from "./money.ts";

/**
 * Every order has booked what its money says, once, in the ledger of its own account. The amounts are calculated here from the
 * recorded facts, not by the code that books them.
 */
export function auditOrders(
  orders: readonly OrderRow[],
  entries: readonly Entry[],
  accounts: readonly { readonly id: string }[],
  moneyOf: MoneyReader,
  problems: string[],
): void {
  const known = new Set(accounts.map(({ id }) => id));
  const booked = byOrder(entries);
  for (const order of orders) {
    if (!known.has(order.accountId)) problems.push(`order ${order.id} is of an account that does not exist`);
    auditBooked(order, booked.get(order.id) ?? [], problems);
    auditStatus(order, moneyOf(order), problems);
    booked.delete(order.id);
  }
  for (const id of booked.keys()) problems.push(`order ${id} has ledger entries and does not exist`);
  for (const page of duplicates(orders.map((order) => order.reference)))
    problems.push(`payment page ${page} belongs to two orders`);
}

function byOrder(entries: readonly Entry[]): Map<string, Entry[]> {
  const booked = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.orderId === null) continue;
    const others = booked.get(entry.orderId);
    if (others) others.push(entry);
    else booked.set(entry.orderId, [entry]);
  }
  return booked;
}

function auditBooked(order: OrderRow, booked: readonly Entry[], problems: string[]): void {
  const name = `order ${order.id}`;
  const purchases = booked.filter(({ kind }) => kind === "purchase");
  const adjustments = booked.filter(({ kind }) => kind === "adjustment");
  const given = order.paidAt === null ? 0 : order.credits;
  expect(problems, `${name}: credits booked`, sumOf(purchases), given);
  expect(problems, `${name}: number of purchase entries`, purchases.length, given === 0 ? 0 : 1);
  expect(problems, `${name}: credits booked back`, sumOf(adjustments), 0 - order.takenBack);
  for (const { no, accountId, kind } of booked) {
    if (accountId !== order.accountId) problems.push(`${name} has entries in the ledger of account ${accountId}`);
    if (kind !== "purchase" && kind !== "adjustment") problems.push(`${name} has entry ${no} of kind ${kind}`);
  }
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { credits }) => sum + credits, 0);
}

function auditStatus(order: OrderRow, money: MoneyOf, problems: string[]): void {
  const name = `order ${order.id}`;
  if (order.paidAt === null) {
    if (!["pending", "expired", "failed"].includes(order.status))
      problems.push(`${name} is ${order.status} and was never paid`);
    expect(problems, `${name}: credits taken back`, order.takenBack, 0);
    return;
  }
  if (!money.isProved) problems.push(`${name} was paid and no event says so`);
  expect(problems, `${name}: status`, order.status, statusOf(order, money));
  expect(problems, `${name}: credits taken back`, order.takenBack, takenBackOf(order, money));
}

function statusOf({ amountCents }: OrderRow, { stands, refundedCents, isContested }: MoneyOf): string {
  if (!stands) return "failed";
  if (isContested) return "disputed";
  return isRefunded(amountCents, refundedCents) ? "refunded" : "paid";
}

/** In proportion to the refund, to the nearest credit; all of them while the money is not ours. */
function takenBackOf({ credits, amountCents }: OrderRow, { stands, refundedCents, isContested }: MoneyOf): number {
  if (!stands || isContested || isRefunded(amountCents, refundedCents)) return credits;
  if (amountCents === 0) return 0;
  return Math.floor((2 * credits * refundedCents + amountCents) / (2 * amountCents));
}

/** Of an order that the operator has granted there is nothing to give back. */
function isRefunded(amountCents: number, refundedCents: number): boolean {
  return amountCents > 0 && refundedCents >= amountCents;
}
