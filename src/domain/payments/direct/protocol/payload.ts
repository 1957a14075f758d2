import { isDeepStrictEqual } from "node:util";
import { checkAuthorization, checkSignature, readAuthorization, type SignedFields } from "./authorization.ts";
import { asObject, decodeObject, type JsonObject } from "./decode.ts";
import { NotAccepted } from "./not-accepted.ts";
import type { ExpectedPayment, ParsedPayment } from "./parsed-payment.ts";
import type { Payload } from "./x402.ts";

/**
 * A PaymentPayload of x402 v2 as PAYMENT-SIGNATURE has it (specs/x402-specification-v2.md section 5.2).
 * @throws NotAccepted
 */
export function readPayload(text: string): ParsedPayment {
  const given = decodeObject(text, "base64");
  if (given.x402Version !== 2) throw new NotAccepted("unsupported_version");
  const payload = asObject(given.payload);
  if (!Object.hasOwn(payload, "authorization") && Object.keys(payload).length > 0)
    throw new NotAccepted("unsupported_payload");
  const signed = readAuthorization(payload.authorization);
  return {
    signed,
    accept(expected) {
      checkOffer(given, expected);
      return payloadOf(signed, payload.signature, expected);
    },
  };
}

/** The payload for the facilitator: only the fields that were checked. @throws NotAccepted */
export function payloadOf(signed: SignedFields, signature: unknown, { requirements, now }: ExpectedPayment): Payload {
  checkAuthorization(signed, requirements, now);
  return {
    x402Version: 2,
    accepted: requirements,
    payload: { signature: checkSignature(signature), authorization: signed },
  };
}

/** A client sends back the offer that it has chosen, unchanged. */
function checkOffer({ accepted, resource }: JsonObject, { requirements, terms }: ExpectedPayment): void {
  const { scheme } = asObject(accepted);
  if (scheme !== requirements.scheme) throw new NotAccepted("unsupported_scheme");
  if (!isDeepStrictEqual(accepted, requirements)) throw new NotAccepted("offer_mismatch");
  if (resource !== undefined && asObject(resource).url !== terms.url) throw new NotAccepted("resource_mismatch");
}
