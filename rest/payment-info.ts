import { type AnyOperation, errorsOf, offersOf } from "../src/contract/operation.ts";
import { dollarsOf, type Offer } from "../src/domain/payments/offers.ts";
import type { Config } from "../src/platform/config/config.ts";
import { ERRORS } from "../src/platform/errors/errors.ts";

/**
 * What an operation costs and how it is paid, in the two forms that `x-payment-info` has: `offers`
 * (draft-payment-discovery-00), and `price` with `protocols` (AgentCash discovery, section 7).
 * @returns nothing where it costs nothing, or never answers 402, which the draft requires: a user pays on another page
 */
export function paymentInfo(operation: AnyOperation, config: Config): object | undefined {
  const offers = offersOf(operation, config);
  const is402 = errorsOf(operation).some((code) => ERRORS[code].status === 402);
  if (offers.length === 0 || !is402) return undefined;
  return { offers, price: priceOf(offers), protocols: operation.takesPayment ? protocolsOf(offers) : [] };
}

/** The price in dollars; without bounds where it depends on the call. */
function priceOf(offers: readonly Offer[]): object {
  const amounts = offers.map(dollarsOf).filter((dollars) => dollars !== null);
  const price = { mode: "dynamic", currency: "USD" };
  if (amounts.length === 0) return price;
  const sorted = amounts.sort((a, b) => Number(a) - Number(b));
  return { ...price, min: sorted[0], max: sorted.at(-1) };
}

/** The protocols by which the call itself is paid: x402, and the same payment as an HTTP credential. */
function protocolsOf(offers: readonly Offer[]): object[] {
  const [{ method, intent, currency }] = offers as [Offer];
  return [{ x402: {} }, { mpp: { method, intent, currency } }];
}
