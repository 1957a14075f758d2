import type { PresentedPayment } from "../domain/payments/orders/presented-payment.ts";

/** x402 v2 objects for surfaces that carry JSON; over HTTP they are base64 in headers (specs/transports-v2/http.md). */

type Headers = Readonly<Record<string, string>> | undefined;
type Json = Record<string, unknown>;

/** Maximum length of a signed payment in base64, so that it fits into a header. */
export const MAX_PAYMENT_LENGTH = 12_000;

/**
 * Encodes a payment as the header PAYMENT-SIGNATURE has it. It is not validated here.
 * @returns null when there is none, and when it is too large, or nested too deep for JSON
 */
export function paymentOfPayload(payload: unknown): PresentedPayment | null {
  const text = (payload ?? null) === null ? null : encoded(payload);
  return text !== null && text.length <= MAX_PAYMENT_LENGTH ? { scheme: "x402", text } : null;
}

/** The PaymentRequired of a refusal, or null. */
export function requiredIn(headers: Headers): Json | null {
  return decoded(headers?.["PAYMENT-REQUIRED"]);
}

/** The SettleResponse of an answer or a refusal, or null. */
export function responseIn(headers: Headers): Json | null {
  return decoded(headers?.["PAYMENT-RESPONSE"]);
}

function encoded(payload: unknown): string | null {
  try {
    return Buffer.from(JSON.stringify(payload)).toString("base64");
  } catch {
    return null;
  }
}

/** Null for anything but base64 of a JSON object: another service may have sent the header. */
function decoded(header: string | undefined): Json | null {
  if (header === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
