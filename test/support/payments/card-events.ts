import { createHmac, randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { entriesOf } from "../../../src/domain/ledger/ledger.ts";
import { newOrderId, type OrderRow, openOrder } from "../../../src/domain/payments/orders/orders.ts";
import { PACKS, packOf } from "../../../src/domain/payments/orders/packs.ts";

/** Creates an order with an open payment page, as buy_credits does. */
export function openCardOrder(
  db: Engine,
  accountId: string,
  { pack = "basic", method = "stripe", now = 0 }: { pack?: string; method?: "stripe" | "sandbox"; now?: number } = {},
): Promise<OrderRow> {
  const id = newOrderId();
  const reference = `cs_test_${id.slice(4)}`;
  const checkout = { url: `https://checkout.stripe.com/c/pay/${reference}`, reference, expiresAt: now + 82_800_000 };
  return db.tx((tx) => openOrder(tx, { id, accountId, pack: packOf({ packs: PACKS }, pack), method, now, checkout }));
}

export type Fields = Readonly<Record<string, unknown>>;

/** An event in the wire format of Stripe. */
export interface WireEvent {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  /** Seconds since 1970. */
  readonly created?: number;
  readonly data: { readonly object: Fields };
}

export function wireEvent(type: string, object: Fields, more: Partial<WireEvent> = {}): WireEvent {
  return { id: `evt_${randomUUID()}`, type, livemode: false, data: { object }, ...more };
}

/** The events that Stripe sends for an order, by what payer, seller and bank do. `over` changes members of the object. */
export function eventsFor(order: OrderRow) {
  const paymentIntent = `pi_${order.id.slice(4)}`;
  const session = (over: Fields) => ({
    id: order.reference,
    object: "checkout.session",
    client_reference_id: order.id,
    metadata: { order_id: order.id },
    amount_total: order.amountCents,
    currency: order.currency,
    payment_intent: paymentIntent,
    payment_status: "unpaid",
    ...over,
  });
  const page =
    (what: string, preset: Fields) =>
    (over: Fields = {}, more?: Partial<WireEvent>) =>
      wireEvent(`checkout.session.${what}`, session({ ...preset, ...over }), more);
  return {
    paid: page("completed", { payment_status: "paid" }),
    waiting: page("completed", {}),
    arrived: page("async_payment_succeeded", { payment_status: "paid" }),
    failed: page("async_payment_failed", {}),
    expired: page("expired", { payment_intent: null }),
    /** @param cents sum of all refunds */
    refunded: (cents: number, over: Fields = {}, more?: Partial<WireEvent>) =>
      wireEvent(
        "charge.refunded",
        { id: "ch_1", payment_intent: paymentIntent, currency: order.currency, amount_refunded: cents, ...over },
        more,
      ),
    /** One refund: `re` names it within the order. */
    refund: (
      re: string,
      { cents, status = "succeeded", what = "refund.updated" }: { cents: number; status?: string; what?: string },
      over: Fields = {},
    ) =>
      wireEvent(what, {
        id: `re_${order.id.slice(4)}_${re}`,
        object: "refund",
        payment_intent: paymentIntent,
        amount: cents,
        currency: order.currency,
        status,
        ...over,
      }),
    disputed: (status: string, over: Fields = {}, what = "updated") =>
      wireEvent(`charge.dispute.${what}`, {
        id: `dp_${order.id.slice(4)}`,
        payment_intent: paymentIntent,
        status,
        ...over,
      }),
  };
}

/** @param time seconds since 1970 */
export function signatureOf(body: string, secret: string, time: number): string {
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}

/** The state of an order: its status, credits taken back, ledger entries, and problems that the audit finds. */
export async function booksOf(db: Engine, order: OrderRow) {
  const { orders, accounts } = db.t;
  const [row] = await db.q.select().from(orders).where(eq(orders.id, order.id));
  const [account] = await db.q.select().from(accounts).where(eq(accounts.id, order.accountId));
  const { rows } = await entriesOf(db, order.accountId, { limit: 200, offset: 0 });
  const own = rows.filter((entry) => entry.orderId === order.id).reverse();
  const { problems } = await audit(db);
  return {
    status: row!.status,
    takenBack: row!.takenBack,
    balance: account!.credits,
    ledger: own.map(({ kind, credits }) => `${kind} ${credits}`),
    audit: problems,
  };
}

/** The record of an event; undefined: it was never processed. */
export async function recordOf(db: Engine, { id, type }: Pick<WireEvent, "id" | "type">) {
  const { cardEvents } = db.t;
  const [row] = await db.q
    .select()
    .from(cardEvents)
    .where(and(eq(cardEvents.id, id), eq(cardEvents.type, type)));
  return row && { order: row.orderId, problem: row.problem };
}
