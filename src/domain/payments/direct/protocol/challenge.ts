import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { SECOND } from "../../../../platform/clock.ts";
import { PRICE_SECONDS, type Terms } from "./terms.ts";
import type { Requirements } from "./x402.ts";

/** Method and intent of our challenges in the scheme `Payment` (draft-evm-charge-00). */
export const METHOD = "evm";
export const INTENT = "charge";

/** Where a client sends its payment so that Authorization can keep its bearer token (mpp-specs, parameter `header`). */
export const HEADER = "Payment-Authorization";

/** The parameters that the identifier binds (draft-httpauth-payment-00 section 5.1.2.1). */
export interface Challenge {
  readonly realm: string;
  readonly method: string;
  readonly intent: string;
  /** base64url of canonical JSON. */
  readonly request: string;
  /** RFC 3339. */
  readonly expires: string;
  /** base64url of JSON: makes every challenge unique, and with it the nonce of its payment. */
  readonly opaque: string;
}

export function newChallenge(terms: Terms, requirements: Requirements, now: number): Challenge {
  return {
    realm: terms.realm,
    method: METHOD,
    intent: INTENT,
    request: requestOf(terms, requirements),
    expires: new Date(now + PRICE_SECONDS * SECOND).toISOString(),
    opaque: encode({ id: randomBytes(12).toString("base64url") }),
  };
}

/** The value of a header `WWW-Authenticate`. */
export function challengeHeader(challenge: Challenge, description: string, secret: string): string {
  const { realm, method, intent, request, expires, opaque } = challenge;
  const id = challengeId(challenge, secret);
  const parameters = { id, realm, method, intent, request, description, expires, header: HEADER, opaque };
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Payment ${written.join(", ")}`;
}

/** HMAC-SHA256 over the parameters in their fixed order; `digest` is empty. */
export function challengeId(challenge: Challenge, secret: string): string {
  const { realm, method, intent, request, expires, opaque } = challenge;
  const slots = [realm, method, intent, request, expires, "", HEADER, opaque];
  return createHmac("sha256", secret).update(slots.join("|")).digest("base64url");
}

export function isOurs(id: string, challenge: Challenge, secret: string): boolean {
  const [given, made] = [Buffer.from(id), Buffer.from(challengeId(challenge, secret))];
  return given.length === made.length && timingSafeEqual(given, made);
}

/** The same text for the same price; keys are in the order of RFC 8785. */
export function requestOf({ chainId, asset, payTo }: Terms, { amount }: Requirements): string {
  return encode({
    amount,
    currency: asset,
    methodDetails: { chainId, credentialTypes: ["authorization"], decimals: 6 },
    recipient: payTo,
  });
}

export function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
