import type { PaymentDeps } from "../orders/deps.ts";
import type { CardProcessor } from "./card-processor.ts";
import { sandboxProcessor } from "./sandbox/processor.ts";
import { stripeProcessor } from "./stripe/processor.ts";

/** Who takes cards here, by the settings. */
export function openCards(deps: PaymentDeps): CardProcessor | null {
  const { cards, stripe } = deps.config;
  if (cards === "stripe") return stripeProcessor(deps, stripe!);
  return cards === "sandbox" ? sandboxProcessor(deps) : null;
}
