import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../../../db/engine.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { newId } from "../../../../platform/ids.ts";
import type { OrderRow } from "../../orders/orders.ts";
import type { CardProcessor } from "../card-processor.ts";
import type { CardDeps } from "../deps.ts";
import { ordersWithPendingFunds } from "../pending-funds.ts";
import { receiveCardEvent } from "../receive-event.ts";
import { STRIPE_WEBHOOK } from "../stripe/webhook.ts";
import { chargeObject, disputeObject, eventBody, paymentOf, type SandboxEvent, sessionObject } from "./event.ts";

/** The sandbox signs its events as a card processor does. */
export interface SandboxProcessor extends CardProcessor {
  readonly method: "sandbox";
  /** @returns the value of the header `Stripe-Signature` */
  sign(body: Buffer): string;
}

/**
 * What can be done with a payment page of the sandbox: by its payer (`pay`, `decline`, `pay_later`), by the bank of a payer who
 * pays later (`arrive`, `bounce`), and after the payment by the seller and the bank (`refund`, `dispute`, `win`).
 */
export type SandboxAction = "pay" | "decline" | "pay_later" | "arrive" | "bounce" | "refund" | "dispute" | "win";

/**
 * Does an action by the events that a card processor would send: signed, and received as from its webhook. An action
 * that the page no longer offers does nothing, so that a second tab or a second click does no harm: a page is paid once,
 * and one that has expired only closes.
 * @throws Refusal not_found when there is no such page
 */
export async function playSandbox(deps: CardDeps, reference: string, action: SandboxAction): Promise<void> {
  const cards = sandboxOf(deps.payments.cards);
  const order = cards && (await sandboxOrderOf(deps.db, reference));
  if (!order) throw new Refusal("not_found", "There is no such payment page. Call buy_credits for one.");
  const now = deps.clock.now();
  const state = await stateOf(deps.db, order, now);
  for (const event of await eventsFor(deps.db, order, state, action)) {
    const body = eventBody(event, now);
    await receiveCardEvent(deps, body, cards.sign(body));
  }
}

/** The order of a payment page of the sandbox. */
export async function sandboxOrderOf(db: Reader, reference: string): Promise<OrderRow | null> {
  const { orders } = db.t;
  const [order] = await db.q
    .select()
    .from(orders)
    .where(and(eq(orders.reference, reference), eq(orders.method, "sandbox")));
  return order ?? null;
}

/** The event of a page that was not paid in time. */
export function expiry(order: OrderRow): SandboxEvent {
  const object = sessionObject(order, { status: "expired", payment: false });
  return { id: `${order.reference}_expired`, type: "checkout.session.expired", object };
}

/** `late`: not paid in time. `over`: closed without money. */
export type PageState = "open" | "late" | "awaited" | "over" | "paid";

export async function stateOf(db: Reader, order: OrderRow, now: number): Promise<PageState> {
  if (order.paidAt !== null) return "paid";
  if (order.status !== "pending") return "over";
  if ((await ordersWithPendingFunds(db, [order], [STRIPE_WEBHOOK.pendingFundsType])).size > 0) return "awaited";
  return order.expiresAt! <= now ? "late" : "open";
}

async function eventsFor(
  db: Reader,
  order: OrderRow,
  state: PageState,
  action: SandboxAction,
): Promise<SandboxEvent[]> {
  if (state === "late" && REQUIRED_STATE[action] === "open") return [expiry(order)];
  if (state !== REQUIRED_STATE[action]) return [];
  const id = newId(action);
  if (action === "refund") return [{ id, type: "charge.refunded", object: chargeObject(order) }];
  if (action === "dispute") {
    // Numbered by the disputes that have ended, so that two clicks at once make one dispute.
    const dispute = `dp_sandbox_${order.id}_${await endedDisputes(db, order)}`;
    return [{ id, type: "charge.dispute.created", object: disputeObject(order, dispute, "needs_response") }];
  }
  if (action === "win") {
    const open = await openDisputes(db, order);
    return open.map((dispute) => {
      return { id: newId(action), type: "charge.dispute.closed", object: disputeObject(order, dispute, "won") };
    });
  }
  const { type, paid } = SESSION_EVENTS[action];
  return [{ id, type, object: sessionObject(order, { status: "complete", paid }) }];
}

/** The state that an action needs. */
const REQUIRED_STATE: Readonly<Record<SandboxAction, PageState>> = {
  pay: "open",
  decline: "open",
  pay_later: "open",
  arrive: "awaited",
  bounce: "awaited",
  refund: "paid",
  dispute: "paid",
  win: "paid",
};

const SESSION_EVENTS = {
  pay: { type: "checkout.session.completed", paid: true },
  decline: { type: "checkout.session.async_payment_failed", paid: false },
  pay_later: { type: "checkout.session.completed", paid: false },
  arrive: { type: "checkout.session.async_payment_succeeded", paid: true },
  bounce: { type: "checkout.session.async_payment_failed", paid: false },
} as const;

async function openDisputes(db: Reader, order: OrderRow): Promise<string[]> {
  const disputes = await disputesOf(db, order);
  return disputes.filter(({ state }) => state === "open").map(({ id }) => id);
}

async function endedDisputes(db: Reader, order: OrderRow): Promise<number> {
  const disputes = await disputesOf(db, order);
  return disputes.filter(({ state }) => state !== "open").length;
}

function disputesOf(db: Reader, order: OrderRow) {
  const { cardDisputes } = db.t;
  return db.q
    .select()
    .from(cardDisputes)
    .where(eq(cardDisputes.paymentId, paymentOf(order)));
}

function sandboxOf(cards: CardProcessor | null): SandboxProcessor | null {
  return cards?.method === "sandbox" ? (cards as SandboxProcessor) : null;
}
