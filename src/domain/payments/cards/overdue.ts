import { and, asc, eq, gt, isNotNull, lte, or } from "drizzle-orm";
import type { Reader } from "../../../../db/engine.ts";
import { HOUR, MINUTE } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import type { OrderRow } from "../orders/orders.ts";
import { closeOrder } from "../orders/settle.ts";
import { applyCardEvent } from "./apply-event.ts";
import type { CardProcessor } from "./card-processor.ts";
import type { CardDeps } from "./deps.ts";

/** Events of a page come within minutes of its end. */
const GRACE = 10 * MINUTE;
const ORDERS_A_ROUND = 20;
/** An order that stays open, because its money takes days, is asked for that often. */
const LAP = HOUR;

/**
 * Asks for payment pages that are over and whose events never came, so that money is booked whatever became of the
 * webhook. Orders are asked for one after another, each once when it is overdue and then once a lap; while the card
 * processor is away, the next round begins where this one has stopped.
 */
export async function checkOverdueOrders(deps: CardDeps): Promise<void> {
  const { db, clock, payments } = deps;
  const { cards } = payments;
  const now = clock.now();
  if (!cards) return;
  const lap = lapOf(cards, now);
  const orders = await overdueAfter(db, lap.last, { method: cards.method, by: now - GRACE });
  for (const order of orders) {
    const events = await lookUpOrder(cards, order);
    if (!events) return;
    // An order that makes trouble does not keep the others from their turn.
    lap.last = order;
    for (const event of events) await applyCardEvent(deps, event);
  }
  if (orders.length < ORDERS_A_ROUND && now - lap.since >= LAP) LAPS.delete(cards);
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

/** How far the lap has come. */
interface Lap {
  readonly since: number;
  last: Pick<OrderRow, "id" | "expiresAt">;
}

const START: Lap["last"] = { id: "", expiresAt: 0 };

const LAPS = new WeakMap<CardProcessor, Lap>();

function lapOf(cards: CardProcessor, now: number): Lap {
  const lap = LAPS.get(cards) ?? { since: now, last: START };
  LAPS.set(cards, lap);
  return lap;
}

/** Open orders of this way of paying, in the order in which their pages ended. */
async function overdueAfter(
  db: Reader,
  last: Lap["last"],
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
    .limit(ORDERS_A_ROUND);
}

/** @returns null while the card processor cannot be asked */
async function lookUpOrder(cards: CardProcessor, { reference }: OrderRow) {
  try {
    return await cards.lookUp(reference!);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}
