import { inArray, isNotNull, isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { methodOf } from "../payments/find-method.ts";
import type { OrderRow } from "../payments/orders/orders.ts";

type DirectPayment = Schema["directPayments"]["$inferSelect"];
type CardPayment = Schema["cardPayments"]["$inferSelect"];
type CardRefund = Schema["cardRefunds"]["$inferSelect"];

/** What is recorded of the money of an order that was paid. */
export interface MoneyOf {
  /** It has not failed since, nor has its transfer vanished with a block of its chain. */
  readonly stands: boolean;
  /** An event of the card processor says that the money came; true where no event is needed. */
  readonly isProved: boolean;
  readonly refundedCents: number;
  /** In a dispute that is open or lost. */
  readonly isContested: boolean;
}

export type MoneyReader = (order: OrderRow) => MoneyOf;

/** Reads the facts behind all orders: card payments, their disputes and events, and the journal of direct payments. */
export async function readMoney(
  db: Reader,
  orders: readonly OrderRow[],
  journal: readonly DirectPayment[],
  problems: string[],
): Promise<MoneyReader> {
  const cards = await readCards(db, orders, problems);
  const { cardEvents } = db.t;
  const events = await db.q.select({ orderId: cardEvents.orderId }).from(cardEvents).where(isNull(cardEvents.problem));
  const proved = new Set(events.map(({ orderId }) => orderId));
  const credited = new Set(journal.filter(isCredited).map(({ orderId }) => orderId));
  return ({ id, method, reference }) => ({
    isProved: reference === null || proved.has(id),
    ...(cards.get(id) ?? { stands: true, refundedCents: 0, isContested: false }),
    ...(methodOf({ method })?.kind === "direct" ? { stands: credited.has(id) } : {}),
  });
}

/** Whether its transfer was on the chain at the last check. */
export function isCredited({ state }: Pick<DirectPayment, "state">): boolean {
  return state === "credited" || state === "final";
}

type CardFacts = Omit<MoneyOf, "isProved">;

async function readCards(
  db: Reader,
  orders: readonly OrderRow[],
  problems: string[],
): Promise<ReadonlyMap<string, CardFacts>> {
  const { cardPayments, cardRefunds, cardDisputes } = db.t;
  const methods = new Map(orders.map(({ id, method }) => [id, method]));
  const disputed = await db.q
    .select({ id: cardDisputes.paymentId })
    .from(cardDisputes)
    .where(inArray(cardDisputes.state, ["open", "lost"]));
  const contested = new Set(disputed.map(({ id }) => id));
  const refunds = new Map<string, CardRefund[]>();
  for (const refund of await db.q.select().from(cardRefunds))
    refunds.set(refund.paymentId, [...(refunds.get(refund.paymentId) ?? []), refund]);
  const byOrder = new Map<string, CardFacts>();
  for (const payment of await db.q.select().from(cardPayments).where(isNotNull(cardPayments.orderId))) {
    const { id, orderId, arrivedAt, failedAt } = payment;
    const name = `card payment ${id}`;
    const method = methods.get(orderId!);
    if (method === undefined) problems.push(`${name} is of order ${orderId}, which does not exist`);
    if (method !== undefined && methodOf({ method })?.kind === "direct")
      problems.push(`${name} is of order ${orderId}, which is paid directly`);
    if (byOrder.has(orderId!)) problems.push(`${name} is of order ${orderId}, which has another card payment`);
    const refundedCents = refundedOf(payment, refunds.get(id) ?? []);
    byOrder.set(orderId!, { stands: arrivedAt >= failedAt, refundedCents, isContested: contested.has(id) });
  }
  return byOrder;
}

/** The sum of the refunds that stand, but no less than the last total without what has failed since. */
function refundedOf({ refundedCents, refundedAt }: CardPayment, refunds: readonly CardRefund[]): number {
  let named = 0;
  let total = refundedCents;
  for (const { cents, failedAt } of refunds) {
    if (failedAt === null) named += cents;
    else if (failedAt >= refundedAt) total -= cents;
  }
  return Math.max(named, total);
}
