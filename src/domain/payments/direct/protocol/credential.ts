import * as Hash from "ox/Hash";
import * as Hex from "ox/Hex";
import { readAuthorization, type SignedFields } from "./authorization.ts";
import { type Challenge, HEADER, INTENT, isOurs, METHOD, requestOf } from "./challenge.ts";
import { asObject, decodeObject, type JsonObject } from "./decode.ts";
import { NotAccepted } from "./not-accepted.ts";
import type { ExpectedPayment, ParsedPayment } from "./parsed-payment.ts";
import { payloadOf } from "./payload.ts";

/**
 * Parses a credential of the HTTP authentication scheme `Payment`, method evm (draft-evm-charge-00): the challenge,
 * sent back, and an authorization bound to it. It becomes the same payment as one of x402.
 * @throws NotAccepted
 */
export function readCredential(text: string): ParsedPayment {
  const { challenge, source, payload } = decodeObject(text, "base64url");
  const { type, signature, ...fields } = asObject(payload);
  if (type !== "authorization") throw new NotAccepted("unsupported_payload");
  const signed = readAuthorization(fields);
  return {
    signed,
    accept(expected) {
      checkChallenge(asObject(challenge), signed, expected);
      if (!isSource(source, signed, expected)) throw new NotAccepted("source_mismatch");
      return payloadOf(signed, signature, expected);
    },
  };
}

function checkChallenge(
  given: JsonObject,
  signed: SignedFields,
  { terms, requirements, secret, now }: ExpectedPayment,
): void {
  const { id, header, digest } = given;
  const challenge = SLOTS.map((slot) => [slot, given[slot]] as const);
  const isWhole = typeof id === "string" && challenge.every(([, value]) => typeof value === "string");
  // A client may leave out `header`, and was never sent `digest`.
  if (!isWhole || (header !== undefined && header !== HEADER) || digest !== undefined)
    throw new NotAccepted("challenge_unknown");
  const said = Object.fromEntries(challenge) as unknown as Challenge;
  if (!isOurs(id, said, secret)) throw new NotAccepted("challenge_unknown");
  const isThisPrice =
    said.realm === terms.realm &&
    said.method === METHOD &&
    said.intent === INTENT &&
    said.request === requestOf(terms, requirements);
  if (!isThisPrice) throw new NotAccepted("challenge_mismatch");
  if (Date.parse(said.expires) <= now) throw new NotAccepted("challenge_expired");
  if (signed.nonce.toLowerCase() !== nonceOf(id, said.realm)) throw new NotAccepted("nonce_mismatch");
}

/** The hash of both texts as Solidity packs them: one after the other (draft-evm-charge-00). */
export function nonceOf(id: string, realm: string): string {
  return Hash.keccak256(Hex.fromString(`${id}${realm}`));
}

const SLOTS = ["realm", "method", "intent", "request", "expires", "opaque"] as const;

/** did:pkh of the payer, if the credential has one. */
function isSource(source: unknown, { from }: SignedFields, { terms }: ExpectedPayment): boolean {
  if (source === undefined) return true;
  return typeof source === "string" && source.toLowerCase() === `did:pkh:${terms.network}:${from}`.toLowerCase();
}
