import type { PresentedPayment } from "../../orders/presented-payment.ts";
import { readCredential } from "./credential.ts";
import type { ParsedPayment } from "./parsed-payment.ts";
import { readPayload } from "./payload.ts";

/** @throws NotAccepted where the text does not say which payment it is */
export function readPayment({ scheme, text }: PresentedPayment): ParsedPayment {
  return scheme === "x402" ? readPayload(text) : readCredential(text);
}
