import { and, eq, inArray, max } from "drizzle-orm";
import type { Tx } from "../../../../db/engine.ts";
import { formatNumber } from "../../../platform/format.ts";
import { recordEvents } from "../../events/record.ts";
import type { NewEvent } from "../../events/types.ts";
import { post } from "../../ledger/ledger.ts";
import type { OrderRow, OrderStatus } from "./orders.ts";

/** The method of orders that the operator grants. */
export const GRANT = "operator";

/** All that is known of the money of an order. */
export interface Money {
  /** It has come, and its transfer has not vanished with a block of its chain. */
  readonly arrived: boolean;
  /** Given back to the buyer so far, of the order's amount. */
  readonly refundedCents: number;
  /** In a dispute that is open or lost. */
  readonly contested: boolean;
}

/** What has changed: `source` names it in the ledger, where the same cause is never booked twice. */
export interface Cause {
  readonly source: string;
  readonly now: number;
  /** The money is not real, which the ledger says of the purchase. Default: it is. */
  readonly isTest?: boolean;
  /** What the ledger says of the purchase, where it is not simply credits that were bought. */
  readonly purchase?: string | undefined;
  /** The tax that the price contains, where the processor has said it with the payment. */
  readonly taxCents?: number | null;
}

/**
 * Makes an order, its credits and the ledger agree with its money (docs/rules.md rule 9): the status and the credits
 * taken back follow from the money alone, and what is booked is the difference to what was booked before.
 * So events may come twice and in any order.
 */
export async function settleOrder(tx: Tx, order: OrderRow, money: Money, cause: Cause): Promise<OrderRow> {
  if (!money.arrived && order.paidAt === null) return order;
  const { source, now, isTest, purchase = describePurchase(order, isTest), taxCents = null } = cause;
  const entry = { accountId: order.accountId, orderId: order.id, credential: order.credential, now };
  if (order.paidAt === null && order.credits > 0) {
    await post(tx, { ...entry, kind: "purchase", credits: order.credits, source: order.id, description: purchase });
  }
  const status = statusOf(order, money);
  const takenBack = creditsTakenBack(order, money);
  const difference = order.takenBack - takenBack;
  if (difference !== 0) {
    const description = difference < 0 ? takenBackText(order, status) : `Credits of order ${order.id} restored`;
    await post(tx, { ...entry, kind: "adjustment", credits: difference, source, description });
  }
  const { orders } = tx.t;
  // Locks the account's row, unless the entry has: two payments at once do not get the same number.
  await recordEvents(tx, order.accountId, eventsOf(order, { ...order, status, takenBack }), now);
  const paid = order.paidAt === null ? { paidAt: now, taxCents, receiptNo: await nextReceipt(tx, order) } : {};
  const [settled] = await tx.q
    .update(orders)
    .set({ status, takenBack, ...paid })
    .where(eq(orders.id, order.id))
    .returning();
  return settled!;
}

/** @returns null where nothing is paid, so that there is nothing to write a receipt for */
async function nextReceipt(tx: Tx, { accountId, method }: OrderRow): Promise<number | null> {
  if (method === GRANT) return null;
  const { orders } = tx.t;
  const [last] = await tx.q
    .select({ no: max(orders.receiptNo) })
    .from(orders)
    .where(eq(orders.accountId, accountId));
  return (last?.no ?? 0) + 1;
}

/** What the change of an order tells. */
function eventsOf(before: OrderRow, order: OrderRow): NewEvent[] {
  const { id, pack, credits, amountCents, currency, method, status, takenBack } = order;
  const facts = { order_id: id, pack, credits, amount_cents: amountCents, currency, method };
  const events: NewEvent[] = [];
  if (before.paidAt === null) events.push({ type: "order.paid", data: facts });
  if (takenBack > before.takenBack) {
    events.push({ type: "order.refunded", data: { ...facts, credits_taken_back: takenBack, status } });
  }
  return events;
}

/**
 * Closes an order that was not paid; a paid order stays as it is. `failed` replaces `expired`, and never the other way
 * round, whichever is heard of first.
 */
export async function closeOrder(tx: Tx, orderId: string, status: "expired" | "failed"): Promise<void> {
  const { orders } = tx.t;
  await tx.q
    .update(orders)
    .set({ status })
    .where(and(eq(orders.id, orderId), inArray(orders.status, CLOSABLE[status])))
    .returning({ id: orders.id });
}

const CLOSABLE = { expired: ["pending"], failed: ["pending", "expired"] } as const;

function statusOf(order: OrderRow, { arrived, refundedCents, contested }: Money): OrderStatus {
  if (!arrived) return "failed";
  if (contested) return "disputed";
  return order.amountCents > 0 && refundedCents >= order.amountCents ? "refunded" : "paid";
}

/** How many of the order's credits are taken back: never more than it gave, and all of them while the money is not ours. */
function creditsTakenBack({ credits, amountCents }: OrderRow, { arrived, refundedCents, contested }: Money): number {
  if (!arrived || contested) return credits;
  if (amountCents === 0) return 0;
  return Math.min(credits, Math.round((credits * refundedCents) / amountCents));
}

function describePurchase({ credits, pack, transaction }: OrderRow, isTest = false): string {
  const how = transaction === null ? "card" : "direct payment";
  const test = isTest ? ", test payment" : "";
  return `${formatNumber(credits)} credits bought by ${how} (pack ${pack}${test})`;
}

function takenBackText({ transaction }: OrderRow, status: OrderStatus): string {
  if (status === "failed" && transaction === null) return "Credits taken back: the payment failed after all";
  return TAKEN_BACK[status]!;
}

const TAKEN_BACK: Readonly<Record<string, string>> = {
  paid: "Credits taken back for a partial refund",
  refunded: "Credits taken back for a refund",
  disputed: "Credits taken back for a disputed payment",
  failed: "Credits taken back: the payment vanished from its chain",
};
