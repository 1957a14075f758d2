import type { StripeFinding } from "../../domain/payments/cards/stripe/try-key.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Check } from "./check.ts";

/** The key of Stripe, by calls that change nothing, and whether its events are sent to this service. */
export async function checkStripe({ stripe, cards, siteUrl }: Config): Promise<Check[]> {
  if (cards !== "stripe" || !stripe) return [];
  const { tryStripe } = await import("../../domain/payments/cards/stripe/try-key.ts");
  const finding = await tryStripe(stripe, siteUrl);
  return [{ name: "Stripe", ...FINDINGS[finding](`${siteUrl}/webhooks/stripe`) }];
}

type Found = Omit<Check, "name">;

const FINDINGS: Readonly<Record<StripeFinding, (webhook: string) => Found>> = {
  fine: (webhook) => ({ ok: true, found: `the key is accepted, and events are sent to ${webhook}` }),
  endpoints_unknown: (webhook) => ({
    ok: true,
    found: `the key is accepted; it may not read whether events are sent to ${webhook}`,
  }),
  key_refused: () => ({
    ok: false,
    found: "the key is refused",
    remedy:
      "Copy the key from Stripe's dashboard (Developers, API keys) into STRIPE_SECRET_KEY, and restart the service.",
  }),
  not_permitted: () => ({
    ok: false,
    found: "the key may not make payment pages",
    remedy: "Give the restricted key the permission to write Checkout Sessions, in Stripe's dashboard.",
  }),
  unreachable: () => ({
    ok: false,
    found: "Stripe cannot be reached, or answers with an error of its own",
    remedy: "Check that this machine can reach api.stripe.com, or its address in PROVIDER_URLS.",
  }),
  no_endpoint: (webhook) => ({
    ok: false,
    found: `no event is sent to ${webhook}: what people pay is credited minutes later, and refunds are never heard of`,
    remedy: `Add the webhook endpoint ${webhook} in Stripe's dashboard, and put its signing secret into STRIPE_WEBHOOK_SECRET.`,
  }),
  endpoint_disabled: (webhook) => ({
    ok: false,
    found: `Stripe has switched off the webhook endpoint ${webhook}`,
    remedy: "Enable it in Stripe's dashboard, once the service answers at that address.",
  }),
};
