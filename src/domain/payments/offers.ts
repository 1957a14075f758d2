import type { Config } from "../../platform/config/config.ts";
import { cardMethodOf, decimalsOf, directMethodOf } from "./find-method.ts";
import type { SellingMethod } from "./method.ts";
import type { Pack } from "./orders/packs.ts";

/** A way to pay (draft-payment-discovery-00, `offers`). */
export interface Offer {
  readonly intent: "charge";
  /** By its name among the methods of the HTTP authentication scheme `Payment`. */
  readonly method: string;
  /** In the smallest unit of the currency, such as cents; null if it depends on the call. */
  readonly amount: string | null;
  /** `usd`, or the address of the token. */
  readonly currency: string;
  readonly description: string;
}

/** The packs, paid by card. */
export function cardOffers(config: Config): readonly Offer[] {
  return packOffers(cardMethodOf(config), config);
}

/** The packs, paid in the call itself by a token. */
export function directOffers(config: Config): readonly Offer[] {
  return packOffers(directMethodOf(config), config);
}

/** Operations that are paid with credits bought before. */
export function prepaidOffers(config: Config): readonly Offer[] {
  const [cards, direct] = [cardOffers(config).slice(0, 1), directOffers(config).slice(0, 1)];
  const routes = [
    ...(cards.length > 0 ? ["POST /checkout"] : []),
    ...(direct.length > 0 ? ["POST /credits/x402"] : []),
  ];
  const description = `Paid with prepaid credits. Buy them with ${routes.join(" or ")}.`;
  return [...cards, ...direct].map((offer) => ({ ...offer, amount: null, description }));
}

/** The price of an offer as decimal text, with cents. @returns null where it depends on the call */
export function dollarsOf({ amount, method }: Offer): string | null {
  if (amount === null) return null;
  const decimals = decimalsOf(method);
  const digits = amount.padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals).slice(0, 2)}`;
}

function packOffers(method: SellingMethod | null, config: Config): readonly Offer[] {
  if (!method) return [];
  const { method: name, decimals, currency } = method.offer;
  const offer = { intent: "charge", method: name, currency: currency(config) } as const;
  return config.packs.map((pack) => ({ ...offer, amount: amountOf(pack, decimals), description: descriptionOf(pack) }));
}

function amountOf({ amountCents }: Pack, decimals: number): string {
  return `${amountCents}${"0".repeat(decimals - 2)}`;
}

function descriptionOf({ credits, id }: Pack): string {
  return `${credits} credits (pack ${id})`;
}
