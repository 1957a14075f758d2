import Stripe from "stripe";
import { SECOND } from "../../../../platform/clock.ts";
import type { StripeSettings } from "../../../../platform/config/payment.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import type { PaymentDeps, PaymentLog } from "../../orders/deps.ts";
import { CURRENCY } from "../../orders/packs.ts";
import type { CardProcessor, CheckoutDraft } from "../card-processor.ts";
import { stripeClient } from "./client.ts";
import { sessionEvents } from "./lookup.ts";
import { readSigned } from "./signature.ts";

/** Takes cards by Stripe Checkout (https://docs.stripe.com/api/checkout/sessions). */
export function stripeProcessor({ clock, config, log }: PaymentDeps, settings: StripeSettings): CardProcessor {
  const { webhookSecret, hasTax, url: standIn } = settings;
  const stripe = stripeClient(settings);
  return {
    method: "stripe",
    isLive: settings.isLive,
    origin: standIn === undefined ? "https://checkout.stripe.com" : new URL(standIn).origin,
    async open(draft) {
      const { id, url } = await callStripe(log, "make a payment page", () =>
        create(stripe, draft, { siteUrl: config.siteUrl, hasTax }),
      );
      return { reference: id, url: url! };
    },
    read: (body, signature) => readSigned(body, signature, webhookSecret, clock.now()),
    lookUp: (reference) =>
      callStripe(log, `say what became of ${reference}`, async () => {
        try {
          return await sessionEvents(stripe, reference, clock.now());
        } catch (thrown) {
          if (!isMissing(thrown)) throw thrown;
          log.error(
            { page: reference },
            "Stripe does not know this payment page: does the key belong to another account?",
          );
          return [];
        }
      }),
  };
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.code === "resource_missing";
}

/**
 * The tax is a part of the price, so that the amount paid stays the amount of the order (https://docs.stripe.com/tax/checkout).
 */
const INCLUSIVE = { tax_behavior: "inclusive" } as const;

/** The order goes into the payment too: refunds and disputes name the payment, not the page. */
async function create(
  stripe: Stripe,
  draft: CheckoutDraft,
  { siteUrl, hasTax }: { siteUrl: string; hasTax: boolean },
): Promise<Stripe.Checkout.Session> {
  const { orderId, pack, email, expiresAt } = draft;
  const metadata = { order_id: orderId };
  const page = {
    mode: "payment",
    // The payer pays in the currency of the order, with whose amount the payment is compared.
    adaptive_pricing: { enabled: false },
    client_reference_id: orderId,
    metadata,
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: CURRENCY,
          unit_amount: pack.amountCents,
          ...(hasTax ? INCLUSIVE : {}),
          product_data: { name: `${pack.name}: ${pack.credits} credits` },
        },
      },
    ],
    ...(hasTax ? { automatic_tax: { enabled: true } } : {}),
    expires_at: Math.floor(expiresAt / SECOND),
    success_url: `${siteUrl}/checkout/done?order=${orderId}`,
    cancel_url: `${siteUrl}/checkout/cancelled?order=${orderId}`,
  } as const satisfies Stripe.Checkout.SessionCreateParams;
  const { sessions } = stripe.checkout;
  try {
    return await sessions.create({ ...page, customer_email: email }, { idempotencyKey: orderId });
  } catch (thrown) {
    // Stripe may refuse an e-mail address that we accept; the payer can type another.
    const isAddress = thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.param === "customer_email";
    if (!isAddress) throw thrown;
    return sessions.create(page, { idempotencyKey: `${orderId}/2` });
  }
}

/** An error of Stripe is logged, without its free text, and never shown to the caller. */
async function callStripe<T>(log: PaymentLog, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    const { type, code, param, statusCode, requestId } = thrown;
    log.error({ type, code, param, status: statusCode, request: requestId }, `Stripe did not ${what}`);
    const message = "Payment by card cannot be reached at the moment. Nothing was bought or charged. Try again soon.";
    throw new Refusal("unavailable", message, {}, { "Retry-After": "15" });
  }
}
