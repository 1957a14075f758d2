import { encodePaymentRequiredHeader } from "@x402/core/http";
import type { Pack } from "../../orders/prices.ts";
import { DISCOVERY } from "./bazaar.ts";
import { challengeHeader, newChallenge } from "./challenge.ts";
import type { ExpectedPayment } from "./parsed-payment.ts";
import { descriptionOf } from "./terms.ts";

/**
 * The headers with the price of a pack, in both protocols: x402 v2 (transports-v2/http.md) and the scheme `Payment` of
 * HTTP (draft-httpauth-payment-00). A client answers the one that it knows.
 */
export function priceHeaders({ terms, requirements, secret, now }: ExpectedPayment, pack: Pack, error: string) {
  const description = descriptionOf(pack);
  const resource = { url: terms.url, description, mimeType: "application/json" };
  // The package's type of a network is a template literal; ours is text of the settings.
  const accepts = [{ ...requirements, network: requirements.network as `${string}:${string}` }];
  return {
    "PAYMENT-REQUIRED": encodePaymentRequiredHeader({
      x402Version: 2,
      error,
      resource,
      accepts,
      extensions: DISCOVERY,
    }),
    "WWW-Authenticate": challengeHeader(newChallenge(terms, requirements, now), description, secret),
    "Cache-Control": "no-store",
  };
}
