import { asPayment, LARGEST_PAYMENT, requiredIn, responseIn } from "../../contract/x402.ts";
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
  const payment = asPayment(payload);
  if (payment) return payment;
  throw new Refusal("invalid_request", 'The payment in `_meta["x402/payment"]` is too large, and was not used.', {
    issues: [{ path: "_meta", message: `x402/payment: at most ${LARGEST_PAYMENT} characters in base64` }],
  });
}

/** What is asked for: the PaymentRequired of a refusal, or null. */
export function priceIn(headers: Headers): Json | null {
  return requiredIn(headers);
}

/** What became of a payment: the SettleResponse of an answer or a refusal, as `_meta` has it. */
export function settlementIn(headers: Headers): Json {
  const settlement = responseIn(headers);
  return settlement ? { "x402/payment-response": settlement } : {};
}
