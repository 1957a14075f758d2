import type { Config } from "../../platform/config/config.ts";
import { baseUnitsOf, CURRENCY, PACKS } from "./orders/prices.ts";

/** A way to pay (draft-payment-discovery-00, `offers`). */
export interface Offer {
  readonly intent: "charge";
  readonly method: "stripe" | "evm";
  /** Cents for a card, base units for a token; null where it depends on the call. */
  readonly amount: string | null;
  /** `usd`, or the address of the token. */
  readonly currency: string;
  readonly description: string;
}

/** The packs, paid by card. */
export function cardOffers({ cards }: Config): readonly Offer[] {
  if (cards === "none") return [];
  return PACKS.map((pack) => ({ ...CARD, amount: String(pack.amountCents), description: descriptionOf(pack) }));
}

/** The packs, paid in the call itself by a token. */
export function directOffers({ direct }: Config): readonly Offer[] {
  if (!direct) return [];
  const token = { intent: "charge", method: "evm", currency: direct.asset } as const;
  return PACKS.map((pack) => ({ ...token, amount: baseUnitsOf(pack), description: descriptionOf(pack) }));
}

/** What is paid with credits that were bought before. */
export function prepaidOffers(config: Config): readonly Offer[] {
  const buying = [...cardOffers(config).slice(0, 1), ...directOffers(config).slice(0, 1)];
  const places = [
    ...(config.cards === "none" ? [] : ["POST /checkout"]),
    ...(config.direct ? ["POST /credits/x402"] : []),
  ];
  const description = `Paid with prepaid credits. Buy them with ${places.join(" or ")}.`;
  return buying.map((offer) => ({ ...offer, amount: null, description }));
}

const CARD = { intent: "charge", method: "stripe", currency: CURRENCY } as const;

function descriptionOf({ credits, id }: (typeof PACKS)[number]): string {
  return `${credits} credits (pack ${id})`;
}
