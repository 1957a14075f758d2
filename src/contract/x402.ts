import type { PresentedPayment } from "../domain/payments/orders/presented-payment.ts";

/** Where HTTP has base64 in headers (x402 v2 specs/transports-v2/http.md), surfaces that carry JSON have the objects. */

type Headers = Readonly<Record<string, string>> | undefined;
type Json = Record<string, unknown>;

/** Most characters of a signed payment in base64: it has to fit into a header on its way to another service. */
export const LARGEST_PAYMENT = 12_000;

/**
 * A payment as the header PAYMENT-SIGNATURE would have it. Whether it is one at all is for who takes it to say.
 * @returns null for what is too large, or nested too deep to be written down
 */
export function asPayment(payload: unknown): PresentedPayment | null {
  const text = encoded(payload);
  return text !== null && text.length <= LARGEST_PAYMENT ? { scheme: "x402", text } : null;
}

/** What is asked for: the PaymentRequired of a refusal, or null. */
export function requiredIn(headers: Headers): Json | null {
  return decoded(headers?.["PAYMENT-REQUIRED"]);
}

/** What became of a payment: the SettleResponse of an answer or a refusal, or null. */
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

/** Null for what is no base64 of a JSON object: where a service answers that is not of our making. */
function decoded(header: string | undefined): Json | null {
  if (header === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
