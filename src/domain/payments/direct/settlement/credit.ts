import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "../../../../../db/engine.ts";
import { isTestNetwork } from "../../../../platform/config/test-networks.ts";
import { newOrderId, type OrderRow, openOrder, type Transaction } from "../../orders/orders.ts";
import { settleOrder } from "../../orders/settle.ts";
import { type DirectPaymentRow, isCredited, paymentOf, SUBMITTED_STATES } from "../journal/journal.ts";
import { released } from "../journal/lease.ts";
import { orderById, setTransaction, transferCause } from "../journal/order.ts";
import { pending } from "../protocol/refusals.ts";
import { checksummed } from "../protocol/terms.ts";

/** A payment whose credits were given. */
export interface CreditedPayment {
  readonly order: OrderRow;
  /** Another call had given them before. */
  readonly isReplay: boolean;
}

/**
 * Gives the credits of a payment whose transfer was found, at the price at which it was claimed, and creates its order,
 * unless it has one because its transfer had vanished. The state in the journal lets one of many callers do it; the
 * others get the same order.
 * @throws Refusal settlement_pending if its transfer has vanished since
 */
export async function creditPayment(tx: Tx, key: string, now: number): Promise<CreditedPayment> {
  const { directPayments: t } = tx.t;
  const before = await paymentOf(tx, key);
  const orderId = before?.orderId ?? newOrderId();
  const isPaid = and(eq(t.key, key), inArray(t.state, [...SUBMITTED_STATES]), isNotNull(t.transfer));
  const [row] = await tx.q
    .update(t)
    .set({ state: "credited", orderId, ...released(now) })
    .where(isPaid)
    .returning();
  if (!row) return { order: await creditedBefore(tx, key), isReplay: true };
  const order = before?.orderId ? await setTransaction(tx, orderId, transactionOf(row)) : await newOrder(tx, row, now);
  const cause = await transferCause(tx, order, `landed:${row.hash}`, now);
  const isTest = isTestNetwork(row.network);
  const money = { arrived: true, refundedCents: 0, contested: false };
  return { order: await settleOrder(tx, order, money, { ...cause, isTest }), isReplay: false };
}

async function creditedBefore(tx: Tx, key: string): Promise<OrderRow> {
  const row = await paymentOf(tx, key);
  if (row?.orderId && isCredited(row)) return orderById(tx, row.orderId);
  throw pending();
}

function newOrder(tx: Tx, row: DirectPaymentRow, now: number): Promise<OrderRow> {
  const { accountId, credits, amountCents, orderId, credential } = row;
  // The pack as it was sold, whatever it costs now.
  const pack = { id: row.pack, credits, amountCents };
  const transaction = transactionOf(row);
  return openOrder(tx, { id: orderId!, accountId, pack, method: "evm", now, transaction, credential });
}

export function transactionOf({ network, hash, payer, amount, asset }: DirectPaymentRow): Transaction {
  return { network, hash: hash!, payer: checksummed(payer), amount, currency: checksummed(asset) };
}
