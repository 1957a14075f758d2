import { MAX_PAYMENT_LENGTH, paymentOfPayload, requiredIn, responseIn } from "../../contract/x402.ts";
import type { PresentedPayment } from "../../domain/payments/orders/presented-payment.ts";
import { Refusal } from "../../platform/errors/errors.ts";

/** The binding of x402 v2 to tool results (x402 specs/transports-v2/mcp.md): objects here, headers in HTTP. */

type Headers = Readonly<Record<string, string>> | undefined;
type Json = Record<string, unknown>;

/**
 * The payment in `_meta["x402/payment"]`, as the header PAYMENT-SIGNATURE would have it.
 * @throws Refusal invalid_request where it is too large
 */
export function paymentIn(meta: object | undefined): PresentedPayment | undefined {
  const payload = (meta as Json | undefined)?.["x402/payment"];
  if (payload === undefined) return undefined;
  const payment = paymentOfPayload(payload);
  if (payment) return payment;
  throw new Refusal("invalid_request", 'The payment in `_meta["x402/payment"]` is too large, and was not used.', {
    issues: [{ path: "_meta", message: `x402/payment: at most ${MAX_PAYMENT_LENGTH} characters in base64` }],
  });
}

/** The PaymentRequired of a refusal, or null. */
export function priceIn(headers: Headers): Json | null {
  return requiredIn(headers);
}

/** The SettleResponse of an answer or a refusal, as a field of `_meta`. */
export function settlementIn(headers: Headers): Json {
  const settlement = responseIn(headers);
  return settlement ? { "x402/payment-response": settlement } : {};
}
