import type { Schema } from "../../../db/schema.ts";
import { methodOf } from "../payments/find-method.ts";
import type { OrderRow, Transaction } from "../payments/orders/orders.ts";
import { duplicates, expect } from "./expect.ts";
import { isCredited } from "./money.ts";

type Payment = Schema["directPayments"]["$inferSelect"];

/**
 * Every credited direct payment has one order with the same account, credits and transfer. Every order by direct payment is in
 * the journal, and no transfer pays twice.
 */
export function auditDirect(journal: readonly Payment[], orders: readonly OrderRow[], problems: string[]): void {
  const direct = orders.filter((order) => methodOf(order)?.kind === "direct");
  const byId = new Map(direct.map((order) => [order.id, order]));
  for (const payment of journal) {
    const order = payment.orderId === null ? undefined : byId.get(payment.orderId);
    auditPayment(payment, order, problems);
  }
  for (const transfer of duplicates(journal.map((payment) => payment.transfer)))
    problems.push(`transfer ${transfer} pays for two direct payments`);
  for (const order of duplicates(journal.map((payment) => payment.orderId)))
    problems.push(`order ${order} is two direct payments`);
  const inJournal = new Set(journal.map((payment) => payment.orderId));
  for (const { id } of direct)
    if (!inJournal.has(id)) problems.push(`order ${id} has no direct payment in the journal`);
}

function auditPayment(payment: Payment, order: OrderRow | undefined, problems: string[]): void {
  const name = `direct payment ${payment.key}`;
  if (!STATES.includes(payment.state)) problems.push(`${name} is ${payment.state}, which is no state`);
  if (payment.orderId !== null && !order) problems.push(`${name} is order ${payment.orderId}, which does not exist`);
  if (isCredited(payment) && payment.orderId === null) problems.push(`${name} is ${payment.state} and no order`);
  if (!order) return;
  expect(problems, `${name}: account`, payment.accountId, order.accountId);
  expect(problems, `${name}: pack`, payment.pack, order.pack);
  expect(problems, `${name}: credits`, payment.credits, order.credits);
  expect(problems, `${name}: amount in cents`, payment.amountCents, order.amountCents);
  if (isCredited(payment)) auditTransfer(name, payment, order, problems);
}

/** The order shows its buyer the transfer that was seen on the chain. */
function auditTransfer(name: string, payment: Payment, order: OrderRow, problems: string[]): void {
  const told = JSON.parse(order.transaction ?? "{}") as Partial<Transaction>;
  expect(problems, `${name}: network`, payment.network, told.network);
  expect(problems, `${name}: token`, payment.asset.toLowerCase(), told.currency?.toLowerCase());
  expect(problems, `${name}: payer`, payment.payer.toLowerCase(), told.payer?.toLowerCase());
  expect(problems, `${name}: amount`, payment.amount, told.amount);
  expect(problems, `${name}: transaction`, payment.hash, told.hash);
  expect(problems, `${name}: transaction of its transfer`, payment.transfer?.split("/")[0], payment.hash);
  if (payment.block === null) problems.push(`${name} is ${payment.state} and stands in no block`);
}

const STATES = ["claimed", "submitted", "refused", "expired", "void", "credited", "final"];
