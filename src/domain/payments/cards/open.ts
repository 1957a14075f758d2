import type { PaymentParts } from "../open.ts";
import type { Cards } from "./cards.ts";
import { sandboxCards } from "./sandbox-cards.ts";
import { stripeCards } from "./stripe.ts";

/** Who takes cards here, by the settings. */
export function openCards(parts: PaymentParts): Cards | null {
  const { cards, stripe } = parts.config;
  if (cards === "stripe") return stripeCards(parts, stripe!);
  return cards === "sandbox" ? sandboxCards(parts) : null;
}
