import type { PresentedPayment } from "../../orders/presented-payment.ts";
import { readCredential } from "./credential.ts";
import type { ParsedPayment } from "./parsed-payment.ts";
import { readPayload } from "./payload.ts";

/** @throws NotAccepted if the text does not identify a payment */
export function readPayment({ scheme, text }: PresentedPayment): ParsedPayment {
  return scheme === "x402" ? readPayload(text) : readCredential(text);
}
