import { and, count, desc, eq, gt, inArray, isNotNull, lt, max, ne } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { CARD_METHODS, cardMethodOf } from "../../domain/payments/find-method.ts";
import { pendingFundsOf } from "../../domain/payments/pending-funds.ts";
import { DAY, HOUR, iso } from "../../platform/clock.ts";
import { formatDollars } from "../../platform/format.ts";
import { ownCommand } from "../../platform/own-command.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/**
 * How long after its payment page closed a pending order counts as overdue. The service looks such orders up every
 * minute.
 */
const OVERDUE_AFTER = HOUR;

/** How long an event that could not be applied is reported, and a refund that failed. */
const REPORTED_FOR = 30 * DAY;

/** Settings of which each is enough to accept cards. */
const SETTINGS = [...CARD_METHODS.values()].flatMap(({ setting }) => setting ?? []);

/** Whether card payments work, and whether money arrived that could not be booked on an order. */
export async function checkCards({ db, clock, config }: Instance): Promise<Check> {
  const name = "Cards";
  const method = cardMethodOf(config);
  if (!method) return { name, ok: true, found: `not taken: ${SETTINGS.join(" or ")} is not set` };
  const now = clock.now();
  const problem = await newestProblem(db, now - REPORTED_FOR);
  if (problem) return { name, ok: false, ...problem };
  const failed = await newestFailedRefund(db, now - REPORTED_FOR);
  if (failed) return { name, ok: false, ...failed };
  const overdue = await overdueOrders(db, now - OVERDUE_AFTER);
  if (overdue > 0) {
    const found = `${overdue} orders are pending although their payment page is closed`;
    const remedy = "Start the service: it looks them up at the card processor. If it is running, look at its log.";
    return { name, ok: false, found, remedy };
  }
  return { name, ok: true, found: `${method.describe(config)}; ${await recentEvents(db, now)}` };
}

/** The newest event that could not be applied. Its money may be missing on an order. */
async function newestProblem(db: Reader, since: number): Promise<{ found: string; remedy: string } | null> {
  const { cardEvents } = db.t;
  const [newest, ...older] = await db.q
    .select()
    .from(cardEvents)
    .where(and(isNotNull(cardEvents.problem), gt(cardEvents.at, since)))
    .orderBy(desc(cardEvents.at), desc(cardEvents.id));
  if (!newest) return null;
  const { id, type, orderId, problem, at } = newest;
  return {
    found: `${iso(at)} ${type} ${id}${orderId === null ? "" : ` for ${orderId}`}: ${problem}${others(older)}`,
    remedy: `Look these payments up at the card processor: money may have come that no order shows. Give the credits with \`${ownCommand("credits grant")}\`, or refund the money.`,
  };
}

/** The newest refund of an order that failed, unless the order was refunded as a whole since. */
async function newestFailedRefund(db: Reader, since: number): Promise<{ found: string; remedy: string } | null> {
  const { cardRefunds, cardPayments, orders } = db.t;
  const [newest, ...older] = await db.q
    .select({ id: cardRefunds.id, cents: cardRefunds.cents, at: cardRefunds.failureHeardAt, orderId: orders.id })
    .from(cardRefunds)
    .innerJoin(cardPayments, eq(cardPayments.id, cardRefunds.paymentId))
    .innerJoin(orders, eq(orders.id, cardPayments.orderId))
    .where(and(gt(cardRefunds.failureHeardAt, since), ne(orders.status, "refunded")))
    .orderBy(desc(cardRefunds.failureHeardAt), desc(cardRefunds.id));
  if (!newest) return null;
  const { id, cents, at, orderId } = newest;
  return {
    found: `${iso(at!)} refund ${id} of ${formatDollars(cents)} for ${orderId} failed${others(older)}`,
    remedy: `The money is with you again, and the credits with the customer. Refund it once more at the card processor; or pay it back in another way, and take the credits with \`${ownCommand("credits grant")} --credits=-N\`.`,
  };
}

function others({ length }: readonly unknown[]): string {
  return length === 0 ? "" : `; ${length} more before it`;
}

/** Counts pending orders. An order whose money is on its way, for example by bank transfer, is not overdue. */
async function overdueOrders(db: Reader, before: number): Promise<number> {
  const { orders } = db.t;
  const pending = await db.q
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(
      and(eq(orders.status, "pending"), inArray(orders.method, [...CARD_METHODS.keys()]), lt(orders.expiresAt, before)),
    );
  return pending.length - (await pendingFundsOf(db, pending)).size;
}

async function recentEvents(db: Reader, now: number): Promise<string> {
  const { cardEvents } = db.t;
  const [all] = await db.q.select({ newest: max(cardEvents.at) }).from(cardEvents);
  const [recent] = await db.q
    .select({ count: count() })
    .from(cardEvents)
    .where(gt(cardEvents.at, now - DAY));
  if (all?.newest === null || all === undefined) return "no event has come yet";
  return `${recent!.count} events in 24 hours, the last ${iso(Number(all.newest))}`;
}
