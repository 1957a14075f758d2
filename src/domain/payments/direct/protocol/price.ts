import type { Pack } from "../../orders/packs.ts";
import { discoveryOf } from "./bazaar.ts";
import { challengeHeader, newChallenge } from "./challenge.ts";
import { headerOf } from "./header.ts";
import type { ExpectedPayment } from "./parsed-payment.ts";
import { descriptionOf } from "./terms.ts";

/**
 * The headers with the price of a pack, in both protocols: x402 v2 (transports-v2/http.md) and the scheme `Payment` of
 * HTTP (draft-httpauth-payment-00). A client answers the one that it knows.
 */
export function priceHeaders({ terms, requirements, secret, now }: ExpectedPayment, pack: Pack, error: string) {
  const description = descriptionOf(pack);
  const resource = { url: terms.url, description, mimeType: "application/json" };
  const required = { x402Version: 2, error, resource, accepts: [requirements], extensions: discoveryOf(pack) };
  return {
    "PAYMENT-REQUIRED": headerOf(required),
    "WWW-Authenticate": challengeHeader(newChallenge(terms, requirements, now), description, secret),
    "Cache-Control": "no-store",
  };
}
