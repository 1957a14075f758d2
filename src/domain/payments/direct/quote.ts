import type { Config } from "../../../platform/config/config.ts";
import type { DirectSettings } from "../../../platform/config/payment.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatDollars } from "../../../platform/format.ts";
import { baseUnitsOf, type Pack } from "../orders/packs.ts";
import type { DirectPayments } from "./direct-payments.ts";

/** The part of `Payments` that says whether direct payment is enabled. */
interface WithDirect {
  readonly payments: { readonly direct: DirectPayments | null };
}

/**
 * Direct payment, if this deployment accepts it.
 * @throws Refusal direct_payment_disabled
 */
export function requireDirect({ payments }: WithDirect): DirectPayments {
  if (payments.direct) return payments.direct;
  throw new Refusal(
    "direct_payment_disabled",
    "This deployment takes no direct payments. get_pricing says at buy_url how to get credits.",
  );
}

/**
 * The refusal with the price of a pack.
 * @throws Refusal direct_payment_disabled, unavailable
 */
export async function priceRefusal(
  { payments, config }: WithDirect & { readonly config: Pick<Config, "direct"> },
  pack: Pack,
): Promise<Refusal> {
  const headers = await requireDirect({ payments }).price(pack);
  const message = `${pack.credits} credits (pack ${pack.id}) cost ${formatDollars(pack.amountCents)}. Sign the offer in PAYMENT-REQUIRED, or answer the challenge in WWW-Authenticate, and send POST /credits/x402 with the payment and a credential of the account. Without the credential a payment is not used.`;
  return new Refusal("direct_payment_required", message, priceFields(config.direct, pack), { ...headers });
}

/** The price as fields of an error, for clients that do not read headers. */
export function priceFields(settings: DirectSettings | undefined, pack: Pack) {
  const { network, asset: currency, payTo: pay_to } = settings ?? {};
  return { pack: pack.id, credits: pack.credits, amount: baseUnitsOf(pack), currency, network, pay_to };
}
