import type Stripe from "stripe";
import { SECOND } from "../../../../platform/clock.ts";
import type { CardEvent } from "../event.ts";
import { cardEventOf } from "./event.ts";

/**
 * The outcome of a payment page, as the events that Stripe would have sent. Their ids follow from their content, so
 * that a second lookup yields the same events.
 * @param now in ms: Stripe says what is so by now
 * @returns none while the page is open
 */
export async function sessionEvents(stripe: Stripe, reference: string, now: number): Promise<CardEvent[]> {
  const { sessions } = stripe.checkout;
  const session = await sessions.retrieve(reference, { expand: ["payment_intent.latest_charge"] });
  const type = typeOf(session);
  if (!type) return [];
  const { id, payment_status: paymentStatus, livemode } = session;
  const page = { id: `look:${id}:${type}:${paymentStatus}`, type, livemode, data: { object: session } };
  const created = Math.floor(now / SECOND);
  const told = [page, ...(await refundsAndDisputesOf(stripe, session))];
  const events = told.map((one) => cardEventOf({ ...one, created }));
  return events.filter((event) => event !== null);
}

function typeOf(session: Stripe.Checkout.Session): string | null {
  const { status, payment_status: paymentStatus, payment_intent: payment } = session;
  if (status === "expired") return "checkout.session.expired";
  if (status !== "complete") return null;
  const isUnpaid = paymentStatus === "unpaid" && typeof payment === "object" && payment !== null;
  const hasFailed = isUnpaid && (payment.status === "requires_payment_method" || payment.status === "canceled");
  return hasFailed ? "checkout.session.async_payment_failed" : "checkout.session.completed";
}

/** Refunds and disputes of its payment. */
async function refundsAndDisputesOf(stripe: Stripe, { payment_intent: payment, livemode }: Stripe.Checkout.Session) {
  const { latest_charge: charge = null } = typeof payment === "object" && payment !== null ? payment : {};
  if (typeof charge !== "object" || charge === null) return [];
  const { id, amount_refunded: refunded, disputed } = charge;
  const refund = { id: `look:${id}:refunded:${refunded}`, type: "charge.refunded", livemode, data: { object: charge } };
  const disputes = disputed ? (await stripe.disputes.list({ charge: id })).data : [];
  return [
    ...(refunded > 0 ? [refund] : []),
    ...disputes.map((dispute) => {
      const { id, status } = dispute;
      return { id: `look:${id}:${status}`, type: "charge.dispute.updated", livemode, data: { object: dispute } };
    }),
  ];
}
