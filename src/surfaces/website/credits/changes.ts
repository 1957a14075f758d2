import type { Reader } from "../../../../db/engine.ts";
import { refuseDisabled } from "../../../domain/ledger/disabled.ts";
import { consumeLimitIn, refuseOverLimit } from "../../../domain/limits/window.ts";
import { openCheckout } from "../../../domain/payments/cards/checkout.ts";
import { playSandbox, type SandboxAction } from "../../../domain/payments/cards/sandbox/payment-page.ts";
import { openOrder } from "../../../domain/payments/orders/orders.ts";
import { packOf } from "../../../domain/payments/orders/packs.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import { setLimits } from "../../../domain/spending/budgets.ts";
import { ACCOUNT } from "../../../domain/spending/holder.ts";
import { NO_LIMITS, type SpendingLimits } from "../../../domain/spending/limits.ts";
import { PERSON } from "../../../platform/principal.ts";
import type { SignedInPost, WebsiteServices } from "../shell/page-request.ts";
import { type Order, openOrdersOf } from "./domain.ts";
import { reusableOrder } from "./open-orders.ts";

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
