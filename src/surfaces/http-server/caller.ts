import type { IncomingMessage } from "node:http";
import type { PresentedPayment } from "../../domain/payments/orders/presented-payment.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { valuesOf } from "./header-values.ts";

/**
 * The credentials of a request: headers only, never a cookie, never the query.
 * @throws Refusal invalid_request when one header is sent twice with different values
 */
export function credentialsOf(req: IncomingMessage): {
  authorization?: string | undefined;
  apiKey?: string | undefined;
} {
  const authorization = only(req, "authorization");
  const apiKey = only(req, "x-api-key");
  // A payment is no credential: a caller that pays in Authorization identifies itself in X-API-Key.
  return isPayment(authorization) ? { apiKey } : { authorization, apiKey };
}

/**
 * The signed payment of a request: `PAYMENT-SIGNATURE` (x402 v2), or a credential of the scheme `Payment` in
 * `Payment-Authorization`, or in `Authorization` where the account's key is in `X-API-Key`.
 * @throws Refusal invalid_request when there is more than one
 */
export function paymentOf(req: IncomingMessage): PresentedPayment | undefined {
  const signature = only(req, "payment-signature", PAYMENTS);
  const ownHeader = only(req, "payment-authorization", PAYMENTS);
  const authorization = only(req, "authorization");
  const found: PresentedPayment[] = [
    ...(signature === undefined ? [] : [{ scheme: "x402", text: signature } as const]),
    // This header is for payments only, so any value is read as one.
    ...(ownHeader === undefined ? [] : [{ scheme: "payment", text: withoutScheme(ownHeader) } as const]),
    ...(isPayment(authorization) ? [{ scheme: "payment", text: withoutScheme(authorization) } as const] : []),
  ];
  if (found.length <= 1) return found[0];
  throw new Refusal("invalid_request", PAYMENTS, {
    issues: [{ path: "PAYMENT-SIGNATURE", message: "sent together with another payment" }],
  });
}

/**
 * The header Idempotency-Key. A client and its library may both set it, to the same key.
 * @throws Refusal invalid_request when there are two different ones
 */
export function idempotencyKeyIn(req: IncomingMessage): string | undefined {
  const key = only(req, "idempotency-key", "Two different idempotency keys were sent. Send one. Nothing was changed.");
  // A proxy may have joined two lines of a header into one (RFC 9110 section 5.3).
  const [first, ...others] = key?.split(",").map((one) => one.trim()) ?? [];
  return first !== "" && others.every((other) => other === first) ? first : key;
}

function isPayment(value: string | undefined): value is string {
  return value !== undefined && /^Payment +/i.test(value);
}

function withoutScheme(value: string): string {
  return value.replace(/^Payment +/i, "").trim();
}

/**
 * The client's address. With `trustProxy` hops in front, the address that the outermost trusted proxy saw;
 * what a client itself writes into X-Forwarded-For is never believed.
 */
export function addressOf(req: IncomingMessage, trustProxy: number): string {
  const socket = req.socket.remoteAddress ?? "unknown";
  if (trustProxy === 0) return socket;
  const forwarded = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((address) => withoutPort(address.trim()))
    .filter((address) => address !== "");
  return [...forwarded, socket].at(-1 - trustProxy) ?? forwarded[0] ?? socket;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

const CREDENTIAL = "Two different credentials were sent. Send one.";
const PAYMENTS = "Two payments were sent, and none was used. Send one.";

function only(req: IncomingMessage, name: string, message = CREDENTIAL): string | undefined {
  const [value, ...others] = valuesOf(req, name);
  if (others.some((other) => other !== value)) {
    throw new Refusal("invalid_request", message, {
      issues: [{ path: name, message: "sent more than once" }],
    });
  }
  return value;
}
