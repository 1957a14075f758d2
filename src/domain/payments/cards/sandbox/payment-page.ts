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

/** The sandbox signs its events as the card processor would. */
export interface SandboxProcessor extends CardProcessor {
  readonly method: "sandbox";
  /** @returns what goes along as `Stripe-Signature` */
  sign(body: Buffer): string;
}

/**
 * What can be done with a payment page of the sandbox: by its payer (`pay`, `decline`, `pay_later`), by the bank of
 * who pays later (`arrive`, `bounce`), and by seller and bank of what was paid (`refund`, `dispute`, `win`).
 */
export type SandboxAction = "pay" | "decline" | "pay_later" | "arrive" | "bounce" | "refund" | "dispute" | "win";

/**
 * Does it, by the events that the card processor would send: signed, and received as its webhook is. What the page
 * no longer offers does nothing, so that a second tab or a second click does no harm: a page is paid once, and one
 * whose time is over only closes.
 * @throws Refusal not_found when there is no such page
 */
export async function playSandbox(deps: CardDeps, reference: string, act: SandboxAction): Promise<void> {
  const cards = sandboxOf(deps.payments.cards);
  const order = cards && (await sandboxOrderOf(deps.db, reference));
  if (!order) throw new Refusal("not_found", "There is no such payment page. Call buy_credits for one.");
  const now = deps.clock.now();
  const state = await stateOf(deps.db, order, now);
  for (const happening of await eventsFor(deps.db, order, state, act)) {
    const body = eventBody(happening, now);
    await receiveCardEvent(deps, body, cards.sign(body));
  }
}

/** The order that is paid at a page of the sandbox. */
export async function sandboxOrderOf(db: Reader, reference: string): Promise<OrderRow | null> {
  const { orders } = db.t;
  const [order] = await db.q
    .select()
    .from(orders)
    .where(and(eq(orders.reference, reference), eq(orders.method, "sandbox")));
  return order ?? null;
}

/** A page that nobody paid at in time. */
export function expiry(order: OrderRow): SandboxEvent {
  const object = sessionObject(order, { status: "expired", payment: false });
  return { id: `${order.reference}_expired`, type: "checkout.session.expired", object };
}

/** `late`: nobody paid in time. `over`: closed without money. */
export type PageState = "open" | "late" | "awaited" | "over" | "paid";

export async function stateOf(db: Reader, order: OrderRow, now: number): Promise<PageState> {
  if (order.paidAt !== null) return "paid";
  if (order.status !== "pending") return "over";
  if ((await ordersWithPendingFunds(db, [order], [STRIPE_WEBHOOK.pendingFundsType])).size > 0) return "awaited";
  return order.expiresAt! <= now ? "late" : "open";
}

async function eventsFor(db: Reader, order: OrderRow, state: PageState, act: SandboxAction): Promise<SandboxEvent[]> {
  if (state === "late" && FROM[act] === "open") return [expiry(order)];
  if (state !== FROM[act]) return [];
  const id = newId(act);
  if (act === "refund") return [{ id, type: "charge.refunded", object: chargeObject(order) }];
  if (act === "dispute") {
    // Named by those before it, so that two clicks at once make one.
    const dispute = `dp_sandbox_${order.id}_${await endedDisputes(db, order)}`;
    return [{ id, type: "charge.dispute.created", object: disputeObject(order, dispute, "needs_response") }];
  }
  if (act === "win") {
    const open = await openDisputes(db, order);
    return open.map((dispute) => {
      return { id: newId(act), type: "charge.dispute.closed", object: disputeObject(order, dispute, "won") };
    });
  }
  const { type, paid } = OF_PAGE[act];
  return [{ id, type, object: sessionObject(order, { status: "complete", paid }) }];
}

/** Where the page has to stand for an act. */
const FROM: Readonly<Record<SandboxAction, PageState>> = {
  pay: "open",
  decline: "open",
  pay_later: "open",
  arrive: "awaited",
  bounce: "awaited",
  refund: "paid",
  dispute: "paid",
  win: "paid",
};

const OF_PAGE = {
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
