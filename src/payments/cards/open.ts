import type { PaymentParts } from "../open.ts";
import type { Cards } from "./cards.ts";

/** Who takes cards here, by the settings. */
export function openCards(_parts: PaymentParts): Cards | null {
  return null;
}
