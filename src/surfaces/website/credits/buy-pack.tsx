import type { Reader } from "../../../../db/engine.ts";
import { consumeLimitIn, refuseOverLimit } from "../../../domain/limits/window.ts";
import { openCheckout } from "../../../domain/payments/cards/checkout.ts";
import { openOrder } from "../../../domain/payments/orders/orders.ts";
import { packOf } from "../../../domain/payments/orders/packs.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { PERSON } from "../../../platform/principal.ts";
import { Notice } from "../components/notice.tsx";
import type { SignedInPost, WebsiteServices } from "../shell/page-request.ts";
import { durationText } from "../shell/retry-later.ts";
import { showBuy } from "./buy.tsx";
import { reusableOrder } from "./open-orders.ts";
import { checkoutPath } from "./payment.tsx";
import { type Order, openOrdersOf, type Pack } from "./reading.ts";

/** `POST /dashboard/buy`: redirects to the payment page of the pack. A second click continues the order of the first. */
export async function buyPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const pack = packOf(request.field("pack"));
  try {
    const { checkoutUrl } = await orderFor(services, request, pack);
    request.redirect(checkoutPath(checkoutUrl!, services.config.siteUrl));
  } catch (thrown) {
    const refusal = temporaryRefusal(thrown);
    request.res.set(refusal.headers);
    const message = <Notice variant="bad">{messageOf(refusal)}</Notice>;
    await showBuy(services, request, { chosen: pack.id, message, status: refusal.status });
  }
}

async function orderFor(services: WebsiteServices, request: SignedInPost, pack: Pack): Promise<Order> {
  const { db, payments } = services;
  const { session, now } = request;
  const { accountId, email } = session;
  const { cards } = payments;
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
    return openOrder(tx, { ...draft, credential: PERSON });
  });
}

/** The refusal, if trying again later can help; the page shows it. @throws anything else */
function temporaryRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal && (thrown.code === "rate_limited" || thrown.code === "unavailable")) return thrown;
  throw thrown;
}

function messageOf({ code, headers, message }: Refusal): string {
  if (code === "unavailable") return message;
  const wait = durationText(Number(headers["Retry-After"]));
  return `You have created too many orders in this hour. Continue with an open one, or try again in ${wait}.`;
}
