import { and, asc, eq, gt, isNotNull, lte, or } from "drizzle-orm";
import type { Reader } from "../../../../db/engine.ts";
import { HOUR, MINUTE } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import type { OrderRow } from "../orders/orders.ts";
import { closeOrder } from "../orders/settle.ts";
import { applyCardEvent } from "./apply-event.ts";
import type { CardProcessor } from "./card-processor.ts";
import type { CardDeps } from "./deps.ts";

/** Events of a payment page come within minutes of its end. */
const GRACE = 10 * MINUTE;
const ORDERS_PER_ROUND = 20;
/** How often an order is looked up again while its money is on the way for days. */
const PASS_INTERVAL = HOUR;

/**
 * Looks up payment pages that are over and whose events never came, so that money is booked even if the webhook fails.
 * Orders are looked up one after another, each when it becomes overdue and then once in every pass. If the card
 * processor does not answer, the next round continues where this one stopped.
 */
export async function checkOverdueOrders(deps: CardDeps): Promise<void> {
  const { db, clock, payments } = deps;
  const { cards } = payments;
  const now = clock.now();
  if (!cards) return;
  const pass = passOf(cards, now);
  const orders = await overdueAfter(db, pass.last, { method: cards.method, by: now - GRACE });
  for (const order of orders) {
    const events = await lookUpOrder(cards, order);
    if (!events) return;
    // Set before the events are applied, so that an order that fails does not hold up the others.
    pass.last = order;
    for (const event of events) await applyCardEvent(deps, event);
  }
  if (orders.length < ORDERS_PER_ROUND && now - pass.since >= PASS_INTERVAL) PASSES.delete(cards);
}

/** Expires overdue orders of a method whose payment pages are gone, so that nobody can pay there any more. */
export async function expireOverdueOrders(
  { db, clock }: Pick<CardDeps, "db" | "clock">,
  method: string,
): Promise<void> {
  const orders = await overdueAfter(db, START, { method, by: clock.now() - GRACE });
  if (orders.length === 0) return;
  await db.tx(async (tx) => {
    for (const { id } of orders) await closeOrder(tx, id, "expired");
  });
}

/** One pass over all overdue orders, and how far it has come. */
interface Pass {
  readonly since: number;
  last: Pick<OrderRow, "id" | "expiresAt">;
}

const START: Pass["last"] = { id: "", expiresAt: 0 };

const PASSES = new WeakMap<CardProcessor, Pass>();

function passOf(cards: CardProcessor, now: number): Pass {
  const pass = PASSES.get(cards) ?? { since: now, last: START };
  PASSES.set(cards, pass);
  return pass;
}

/** Open orders of this method whose pages are over, in the order in which the pages ended. */
async function overdueAfter(
  db: Reader,
  last: Pass["last"],
  { method, by }: { method: string; by: number },
): Promise<OrderRow[]> {
  const { orders } = db.t;
  const { id, status, expiresAt, reference } = orders;
  const isLater = or(gt(expiresAt, last.expiresAt!), and(eq(expiresAt, last.expiresAt!), gt(id, last.id)));
  const isOverdue = and(eq(status, "pending"), eq(orders.method, method), lte(expiresAt, by), isNotNull(reference));
  return db.q
    .select()
    .from(orders)
    .where(and(isOverdue, isLater))
    .orderBy(asc(expiresAt), asc(id))
    .limit(ORDERS_PER_ROUND);
}

/** @returns null while the card processor does not answer */
async function lookUpOrder(cards: CardProcessor, { reference }: OrderRow) {
  try {
    return await cards.lookUp(reference!);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}
