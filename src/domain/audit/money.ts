import { inArray, isNotNull, isNull } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { methodOf } from "../payments/find-method.ts";
import type { OrderRow } from "../payments/orders/orders.ts";

type DirectPayment = Schema["directPayments"]["$inferSelect"];

/** What is recorded of the money of an order that was paid. */
export interface MoneyOf {
  /** Its transfer has not vanished with a block of its chain. */
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
    stands: methodOf({ method })?.kind !== "direct" || credited.has(id),
    isProved: reference === null || proved.has(id),
    ...(cards.get(id) ?? { refundedCents: 0, isContested: false }),
  });
}

/** Whether its transfer was on the chain at the last check. */
export function isCredited({ state }: Pick<DirectPayment, "state">): boolean {
  return state === "credited" || state === "final";
}

type CardFacts = Omit<MoneyOf, "stands" | "isProved">;

async function readCards(
  db: Reader,
  orders: readonly OrderRow[],
  problems: string[],
): Promise<ReadonlyMap<string, CardFacts>> {
  const { cardPayments, cardDisputes } = db.t;
  const methods = new Map(orders.map(({ id, method }) => [id, method]));
  const disputed = await db.q
    .select({ id: cardDisputes.paymentId })
    .from(cardDisputes)
    .where(inArray(cardDisputes.state, ["open", "lost"]));
  const contested = new Set(disputed.map(({ id }) => id));
  const byOrder = new Map<string, CardFacts>();
  for (const { id, orderId, refundedCents } of await db.q
    .select()
    .from(cardPayments)
    .where(isNotNull(cardPayments.orderId))) {
    const name = `card payment ${id}`;
    const method = methods.get(orderId!);
    if (method === undefined) problems.push(`${name} is of order ${orderId}, which does not exist`);
    if (method !== undefined && methodOf({ method })?.kind === "direct")
      problems.push(`${name} is of order ${orderId}, which is paid directly`);
    if (byOrder.has(orderId!)) problems.push(`${name} is of order ${orderId}, which has another card payment`);
    byOrder.set(orderId!, { refundedCents, isContested: contested.has(id) });
  }
  return byOrder;
}
