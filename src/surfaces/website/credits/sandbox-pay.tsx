import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { hasControl } from "../../../platform/text.ts";
import { Notice } from "../components/notice.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { buyerEmail, type Order, playPayment, sandboxOrder } from "./domain.ts";
import { displayStatusOf } from "./order-status.ts";
import { actionsOf, RESULT_TEXTS, RETURNS_TO_SHOP, type SandboxPayment } from "./sandbox-actions.ts";
import { paymentPage } from "./sandbox-payment-page.tsx";

/** `GET /sandbox/pay/:reference`: anybody who has the link can pay, as at a card processor. */
export async function payPage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const payment = await paymentAt(services, request);
  const done = RESULT_TEXTS.get(request.query("done"));
  await show(services, request, payment, { message: done ? <Notice>{done}</Notice> : null });
}

/** `POST /sandbox/pay/:reference` */
export async function payPost(services: WebsiteServices, request: FormPost): Promise<void> {
  const payment = await paymentAt(services, request);
  const { order, displayStatus } = payment;
  const act = request.field("act");
  // The form was sent twice, and the first one has done it.
  if (RETURNS_TO_SHOP[act] === displayStatus) return request.redirect(donePath(order));
  const chosen = actionsOf(payment).find((action) => action.act === act);
  if (!chosen) {
    const message = <Notice variant="bad">{NO_LONGER_APPLIES}</Notice>;
    return show(services, request, payment, { message, status: 409 });
  }
  await playPayment(services, order, chosen.act);
  request.redirect(RETURNS_TO_SHOP[act] ? donePath(order) : `${pathOf(order)}?done=${chosen.act}`);
}

const NO_LONGER_APPLIES =
  "Nothing was changed: the status of the payment is another one by now, and that button no longer applies.";

/** @throws Refusal not_found */
async function paymentAt(services: WebsiteServices, request: PageRequest): Promise<SandboxPayment> {
  const reference = request.param("reference");
  const found = hasControl(reference) ? null : await sandboxOrder(services, reference, request.now);
  if (!found) throw new Refusal("not_found", "There is no such payment. Check that you opened the whole link.");
  const { order, state } = found;
  return { order, state, displayStatus: displayStatusOf(order, state === "awaited", request.now) };
}

async function show(
  services: WebsiteServices,
  request: PageRequest,
  payment: SandboxPayment,
  { message = null, status }: { message?: VNode | null; status?: number } = {},
): Promise<void> {
  request.res.set("X-Robots-Tag", "noindex, nofollow");
  const email = await buyerEmail(services, payment.order);
  request.show(paymentPage(request, { ...payment, email, path: pathOf(payment.order), message }), status);
}

function pathOf({ reference }: Order): string {
  return `/sandbox/pay/${reference}`;
}

function donePath({ id }: Order): string {
  return `/checkout/done?order=${id}`;
}
