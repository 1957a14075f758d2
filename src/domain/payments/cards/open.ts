import type { PaymentDeps } from "../orders/deps.ts";
import type { Cards } from "./card-processor.ts";
import { sandboxCards } from "./sandbox/processor.ts";
import { stripeCards } from "./stripe/processor.ts";

/** Who takes cards here, by the settings. */
export function openCards(deps: PaymentDeps): Cards | null {
  const { cards, stripe } = deps.config;
  if (cards === "stripe") return stripeCards(deps, stripe!);
  return cards === "sandbox" ? sandboxCards(deps) : null;
}
