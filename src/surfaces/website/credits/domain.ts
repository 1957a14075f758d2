import type { Reader } from "../../../../db/engine.ts";
import { accountById } from "../../../domain/accounts/accounts.ts";
import { refuseDisabled } from "../../../domain/ledger/disabled.ts";
import { type BalanceChange, balanceHistory, firstEntryAt } from "../../../domain/ledger/history.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { consumeLimitIn, refuseOverLimit } from "../../../domain/limits/window.ts";
import { openCheckout } from "../../../domain/payments/cards/checkout.ts";
import {
  type PageState,
  playSandbox,
  type SandboxAction,
  sandboxOrderOf,
  stateOf,
} from "../../../domain/payments/cards/sandbox/payment-page.ts";
import { explorerUrl } from "../../../domain/payments/explorers.ts";
import { isLiveOrder, methodOf } from "../../../domain/payments/find-method.ts";
import {
  type OrderRow,
  openOrder,
  orderOf,
  ordersOf,
  type Transaction,
} from "../../../domain/payments/orders/orders.ts";
import { type Pack, POPULAR, packName, packOf } from "../../../domain/payments/orders/packs.ts";
import { pendingFundsOf } from "../../../domain/payments/pending-funds.ts";
import { type Buyer, type Receipt, receiptOf } from "../../../domain/payments/receipts.ts";
import { biggestSpenders, projectNames, unsentOf } from "../../../domain/projects/spending.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import { setLimits } from "../../../domain/spending/budgets.ts";
import { ACCOUNT } from "../../../domain/spending/holder.ts";
import { MAX_LIMIT, NO_LIMITS, parseLimit, type SpendingLimits } from "../../../domain/spending/limits.ts";
import { HOUR } from "../../../platform/clock.ts";
import { PERSON } from "../../../platform/principal.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { hasControl } from "../../../platform/text.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type DisplayStatus, displayStatusOf } from "./order-status.ts";

/**
 * What the pages of credits take of the domain: the balance over time, whether the money of an order is on its way, receipts, what
 * payment methods are called, and what only a person does, such as to set the budget of the account.
 */

export type { BalanceChange, Buyer, Pack, PageState, Receipt, SandboxAction, Transaction };
export { explorerUrl, isLiveOrder, MAX_LIMIT, POPULAR, packName, parseLimit };

/** An order with what only its pages show, such as the credits that were taken back. */
export type Order = OrderRow;

/** A payment method as pages speak of it. */
interface ShownMethod {
  readonly name: string;
  /** Who has its payment page. */
  readonly processor: string;
  /** The payment page is our own, and no money moves. */
  readonly isSandbox: boolean;
}

/** @param id as an order has it; also of a method that no longer exists */
export function shownMethod(id: string): ShownMethod {
  const method = methodOf({ method: id });
  const name = method?.name ?? id;
  if (method?.kind !== "card") return { name, processor: "the card processor", isSandbox: false };
  return { name, processor: method.processor, isSandbox: method.isSandbox };
}

interface HasDatabase {
  readonly db: Reader;
}

export interface ShownOrder {
  readonly order: Order;
  readonly displayStatus: DisplayStatus;
}

/** A page of the account's orders, newest first. */
export async function listedOrders(
  { db }: WebsiteServices,
  { session, now }: SignedInRequest,
  page: { readonly limit: number; readonly offset: number },
) {
  const { rows, hasMore } = await ordersOf(db, session.accountId, { status: "any", ...page });
  return { orders: await shown({ db }, rows, now), hasMore };
}

/** The order with this id; null: the account has none. */
export async function orderWithId(
  { db }: WebsiteServices,
  { session, now }: SignedInRequest,
  id: string,
): Promise<ShownOrder | null> {
  const order = hasControl(id) ? null : await orderOf(db, session.accountId, id);
  return order && (await shown({ db }, [order], now))[0]!;
}

/** The orders that can still be paid, by the method in which cards are taken now; newest first. */
export async function openOrdersOf(
  { db }: HasDatabase,
  { accountId, method, now }: { readonly accountId: string; readonly method: string; readonly now: number },
): Promise<Order[]> {
  const { rows } = await ordersOf(db, accountId, { status: "pending", limit: SIZES.pageLimit, offset: 0 });
  return (await shown({ db }, rows, now))
    .filter(({ order, displayStatus }) => order.method === method && displayStatus === "open")
    .map(({ order }) => order);
}

async function shown({ db }: HasDatabase, orders: readonly Order[], now: number): Promise<ShownOrder[]> {
  const awaited = await pendingFundsOf(db, orders);
  return orders.map((order) => ({ order, displayStatus: displayStatusOf(order, awaited.has(order.id), now) }));
}

/** The receipt of an order; null: the account has none with this id, or it was never paid. */
export async function receiptFor(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  orderId: string,
): Promise<Receipt | null> {
  const { accountId, name, email } = session;
  return hasControl(orderId) ? null : receiptOf(db, { accountId, orderId, buyer: { name, email } });
}

export async function balanceNow({ db }: WebsiteServices, { session }: SignedInRequest): Promise<number> {
  return balanceOf(db, session.accountId);
}

/** When the balance changed first; null: never. */
export async function firstChangeAt({ db }: WebsiteServices, { session }: SignedInRequest): Promise<number | null> {
  return firstEntryAt(db, session.accountId);
}

/** The balance over time, by intervals of `width` from `from` on; `balance`: what it is now. */
export function balanceSince(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  range: { readonly from: number; readonly width: number; readonly balance: number },
): Promise<BalanceChange[]> {
  return balanceHistory(db, session.accountId, range);
}

/** The projects that have spent the most credits. */
export function spendersOf({ db }: WebsiteServices, { session }: SignedInRequest, most: number) {
  return biggestSpenders(db, session.accountId, most);
}

/** What is paid for and not sent yet. */
export function unsentNow({ db }: WebsiteServices, { session }: SignedInRequest) {
  return unsentOf(db, session.accountId);
}

/** The names of projects by their ids. */
export function namesOf({ db }: WebsiteServices, projectIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return projectNames(db, [...new Set(projectIds)]);
}

/** The order that is paid at this address of the sandbox's card processor, and how far that is; null: there is none. */
export async function sandboxOrder({ db }: WebsiteServices, reference: string, now: number) {
  const order = await sandboxOrderOf(db, reference);
  return order && { order, state: await stateOf(db, order, now) };
}

/** The address of whoever buys. */
export async function buyerEmail({ db }: WebsiteServices, { accountId }: Order): Promise<string> {
  return (await accountById(db, accountId)).email;
}

/** Sets what all keys, apps and agents of the account together may spend. No operation does it. */
export function setAccountBudget(
  { session: { accountId, personId }, sessionTx, ip, now }: SignedInPost,
  limits: Pick<SpendingLimits, "perDay" | "perMonth">,
): Promise<void> {
  return sessionTx(async (tx) => {
    await setLimits(tx, { accountId, holder: ACCOUNT }, { ...NO_LIMITS, ...limits });
    const subject = "all keys, apps and agents together";
    await recordSecurityEvent(tx, { accountId, personId, kind: "limits_changed", subject, ip, now });
  });
}

/**
 * The order that a person pays on its payment page: a new one, unless one for this pack is still open. buy_credits makes a new
 * one at every call.
 * @throws Refusal
 */
export async function orderToPay(services: WebsiteServices, request: SignedInPost, packId: string): Promise<Order> {
  const { db, payments, config } = services;
  const pack = packOf(config, packId);
  const { session, ip, now } = request;
  const { accountId, email } = session;
  const { cards } = payments;
  await refuseDisabled(db, accountId);
  const findReusable = async (db: Reader) =>
    cards ? reusableOrder(await openOrdersOf({ db }, { accountId, method: cards.method, now }), pack, now) : undefined;
  const existing = await findReusable(db);
  if (existing) return existing;
  await refuseOverLimit(db, accountId, "checkout_links", now);
  const draft = await openCheckout(services, { accountId, email }, pack, now);
  return request.sessionTx(async (tx) => {
    // Two clicks at the same time both get here; the second one finds the order of the first.
    const reusable = await findReusable(tx);
    if (reusable) return reusable;
    await consumeLimitIn(tx, accountId, "checkout_links", now);
    const order = await openOrder(tx, { ...draft, credential: PERSON });
    const change = { kind: "payment_opened", subject: pack.id, target: order.id } as const;
    await recordSecurityEvent(tx, { accountId, personId: session.personId, ...change, ip, now });
    return order;
  });
}

/** Lets something happen to a payment, as the sandbox's card processor would. */
export async function playPayment(services: WebsiteServices, { reference }: Order, act: SandboxAction): Promise<void> {
  await playSandbox(services, reference!, act);
}

/** The open order that a second click on a pack continues: the same purchase, with at least an hour left to pay. */
function reusableOrder(openOrders: readonly Order[], pack: Pack, now: number): Order | undefined {
  return openOrders.find(
    (order) =>
      order.pack === pack.id &&
      order.credits === pack.credits &&
      order.amountCents === pack.amountCents &&
      order.checkoutUrl !== null &&
      order.expiresAt! - now >= HOUR,
  );
}
