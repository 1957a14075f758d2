import { type AnyOperation, offersOf } from "../src/contract/operation.ts";
import type { Config } from "../src/platform/config/config.ts";

type Offer = ReturnType<typeof offersOf>[number];

/**
 * What an operation costs and how it is paid, in the two forms that `x-payment-info` has: `offers`
 * (draft-payment-discovery-00), and `price` with `protocols` (AgentCash discovery, section 7).
 * @returns nothing where it costs nothing
 */
export function paymentInfo(operation: AnyOperation, config: Config): object | undefined {
  const offers = offersOf(operation, config);
  if (offers.length === 0) return undefined;
  return { offers, price: priceOf(offers), protocols: operation.takesPayment ? protocolsOf(offers) : [] };
}

/** The price in dollars; without bounds where it depends on the call. */
function priceOf(offers: readonly Offer[]): object {
  const amounts = offers.flatMap(({ amount, method }) => (amount === null ? [] : [dollars(amount, DECIMALS[method])]));
  const price = { mode: "dynamic", currency: "USD" };
  if (amounts.length === 0) return price;
  const sorted = amounts.sort((a, b) => Number(a) - Number(b));
  return { ...price, min: sorted[0], max: sorted.at(-1) };
}

/** Decimals of an amount: in cents, and in base units of a dollar token. */
const DECIMALS: Readonly<Record<Offer["method"], number>> = { stripe: 2, evm: 6 };

/** Decimal text of a price, which is always in whole cents. */
function dollars(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals).slice(0, 2)}`;
}

/** The protocols by which the call itself is paid: x402, and the same payment as an HTTP credential. */
function protocolsOf(offers: readonly Offer[]): object[] {
  const [{ method, intent, currency }] = offers as [Offer];
  return [{ x402: {} }, { mpp: { method, intent, currency } }];
}
