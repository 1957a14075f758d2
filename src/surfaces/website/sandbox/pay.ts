import { accountById } from "../../../domain/accounts/accounts.ts";
import { playSandbox, sandboxOrderOf, stateOf } from "../../../domain/payments/cards/sandbox.ts";
import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { hasControl } from "../../../platform/text.ts";
import { standingOf } from "../checkout/order-status.ts";
import { notice } from "../form.ts";
import type { Html } from "../html.ts";
import type { Post, SiteServices, Visit } from "../page-request.ts";
import { actsOf, DONE, LEAVES, type Payment } from "./actions.ts";
import { paymentPage } from "./payment-page.ts";

/** `GET /sandbox/pay/:reference`: for whoever has the link, as at a card processor's. */
export async function payPage(services: SiteServices, visit: Visit): Promise<void> {
  const payment = await paymentAt(services, visit);
  const done = DONE.get(visit.query("done"));
  await show(services, visit, payment, { said: done ? notice(done) : null });
}

/** `POST /sandbox/pay/:reference` */
export async function payPost(services: SiteServices, visit: Post): Promise<void> {
  const payment = await paymentAt(services, visit);
  const { order, standing } = payment;
  const word = visit.field("act");
  // Sent twice: the first one has done it.
  if (LEAVES[word] === standing) return visit.go(donePath(order));
  const chosen = actsOf(payment).find(({ act }) => act === word);
  if (!chosen) return show(services, visit, payment, { said: notice(OUT_OF_TURN, "bad"), status: 409 });
  await playSandbox(services, order.reference!, chosen.act);
  visit.go(LEAVES[word] ? donePath(order) : `${pathOf(order)}?done=${chosen.act}`);
}

const OUT_OF_TURN = "Nothing was done: the payment has moved on, and that button no longer applies.";

/** @throws Refusal not_found */
async function paymentAt({ db }: SiteServices, visit: Visit): Promise<Payment> {
  const reference = String(visit.req.params.reference);
  const order = hasControl(reference) ? null : await sandboxOrderOf(db, reference);
  if (!order) throw new Refusal("not_found", "There is no such payment. Open the link again, whole.");
  const state = await stateOf(db, order, visit.now);
  return { order, state, standing: standingOf(order, state === "awaited", visit.now) };
}

async function show(
  { db }: SiteServices,
  visit: Visit,
  payment: Payment,
  { said = null, status }: { said?: Html | null; status?: number } = {},
): Promise<void> {
  visit.res.set("X-Robots-Tag", "noindex, nofollow");
  const { email } = await accountById(db, payment.order.accountId);
  visit.show(paymentPage(visit, { ...payment, email, path: pathOf(payment.order), said }), status);
}

function pathOf({ reference }: OrderRow): string {
  return `/sandbox/pay/${reference}`;
}

function donePath({ id }: OrderRow): string {
  return `/checkout/done?order=${id}`;
}
