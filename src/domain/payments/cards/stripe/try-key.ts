import Stripe from "stripe";
import type { StripeSettings } from "../../../../platform/config/payment.ts";
import { stripeClient } from "./client.ts";
import { STRIPE_WEBHOOK } from "./webhook.ts";

/** What calls of Stripe that change nothing say of the settings. */
export type StripeFinding =
  | "fine"
  | "key_refused"
  | "not_permitted"
  | "unreachable"
  /** Its webhook endpoints may not be read with this key. */
  | "endpoints_unknown"
  | "no_endpoint"
  | "endpoint_disabled";

/** Tries the key, and whether Stripe sends its events to this service. */
export async function tryStripe(settings: StripeSettings, siteUrl: string): Promise<StripeFinding> {
  const stripe = stripeClient(settings, { maxNetworkRetries: 0 });
  const page = await findingOf(() => stripe.checkout.sessions.list({ limit: 1 }));
  if (typeof page === "string") return page;
  const listed = await findingOf(() => stripe.webhookEndpoints.list({ limit: 100 }));
  // A restricted key of a careful operator need not read the endpoints.
  if (typeof listed === "string") return listed === "unreachable" ? listed : "endpoints_unknown";
  const address = `${siteUrl}/webhooks/${STRIPE_WEBHOOK.path}`;
  const ours = listed.data.filter(({ url }) => url.replace(/\/+$/, "") === address);
  if (ours.length === 0) return "no_endpoint";
  return ours.some(({ status }) => status === "enabled") ? "fine" : "endpoint_disabled";
}

async function findingOf<T>(call: () => Promise<T>): Promise<T | "key_refused" | "not_permitted" | "unreachable"> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeAuthenticationError) return "key_refused";
    if (thrown instanceof Stripe.errors.StripePermissionError) return "not_permitted";
    if (thrown instanceof Stripe.errors.StripeError) return "unreachable";
    throw thrown;
  }
}
