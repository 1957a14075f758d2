import type { PresentedPayment } from "../context.ts";
import { Refusal } from "../errors.ts";

/** The binding of x402 v2 to tool results (x402 specs/transports-v2/mcp.md): objects here, headers in HTTP. */

type Headers = Readonly<Record<string, string>> | undefined;
type Json = Record<string, unknown>;

/** Most characters of a signed payment: it has to fit into a header on its way to another service. */
const LARGEST = 12_000;

/**
 * The payment in `_meta["x402/payment"]`, as the header PAYMENT-SIGNATURE would have it. Whether it is one at all is
 * for who takes it to say.
 * @throws Refusal invalid_request where it is too large
 */
export function paymentIn(meta: object | undefined): PresentedPayment | undefined {
  const payment = (meta as Json | undefined)?.["x402/payment"];
  if (payment === undefined) return undefined;
  const text = encoded(payment);
  if (text !== null && text.length <= LARGEST) return { scheme: "x402", text };
  throw new Refusal("invalid_request", 'The payment in `_meta["x402/payment"]` is too large, and was not used.', {
    issues: [{ path: "_meta", message: `x402/payment: at most ${LARGEST} characters in base64` }],
  });
}

/** Null for what is nested too deep to be written down. */
function encoded(payment: unknown): string | null {
  try {
    return Buffer.from(JSON.stringify(payment)).toString("base64");
  } catch {
    return null;
  }
}

/** What is asked for: the PaymentRequired of a refusal, or null. */
export function priceIn(headers: Headers): Json | null {
  return decoded(headers?.["PAYMENT-REQUIRED"]);
}

/** What became of a payment: the SettleResponse of an answer or a refusal, as `_meta` has it. */
export function settlementIn(headers: Headers): Json {
  const settlement = decoded(headers?.["PAYMENT-RESPONSE"]);
  return settlement ? { "x402/payment-response": settlement } : {};
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
