import { asObject } from "./decode.ts";
import { NotAccepted } from "./not-accepted.ts";
import type { Reason } from "./reasons.ts";
import type { Requirements } from "./x402.ts";

/** The signed message of EIP-3009: every field has its strict form, and is spelt as the payer wrote it. */
export type SignedFields = Readonly<Record<(typeof FIELDS)[number], string>>;

const FIELDS = ["from", "to", "value", "validAfter", "validBefore", "nonce"] as const;

/** uint256 in plain decimals: no sign, no space, no leading zero. */
const WHOLE = /^(?:0|[1-9][0-9]{0,77})$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const FORMS: Readonly<Record<(typeof FIELDS)[number], RegExp>> = {
  from: ADDRESS,
  to: ADDRESS,
  value: WHOLE,
  validAfter: WHOLE,
  validBefore: WHOLE,
  nonce: /^0x[0-9a-fA-F]{64}$/,
};

/** @throws NotAccepted malformed, malformed_authorization */
export function readAuthorization(given: unknown): SignedFields {
  const fields = asObject(given);
  const read = FIELDS.map((name) => {
    const text = fields[name];
    if (typeof text === "string" && FORMS[name].test(text)) return [name, text] as const;
    throw new NotAccepted("malformed_authorization");
  });
  return Object.fromEntries(read) as SignedFields;
}

/** The shortest remaining validity, in seconds: a payment that expires on its way to the chain is worth nothing. */
const LEAST_SECONDS = 6;

/** The longest validity, in seconds, so that every payment is decided soon. */
const MOST_SECONDS = 900;

/**
 * Checks that it pays the required price now. Both times are exclusive (EIP-3009).
 * @throws NotAccepted
 */
export function checkAuthorization(signed: SignedFields, { payTo, amount }: Requirements, now: number): void {
  const [from, to] = [signed.from.toLowerCase(), signed.to.toLowerCase()];
  const seconds = BigInt(Math.floor(now / 1000));
  const validBefore = BigInt(signed.validBefore);
  const checks: readonly (readonly [boolean, Reason])[] = [
    [to === payTo.toLowerCase(), "wrong_recipient"],
    [signed.value === amount, "wrong_amount"],
    [from !== to && !/^0x0+$/.test(from), "wrong_payer"],
    [BigInt(signed.validAfter) < seconds, "not_yet_valid"],
    [validBefore > seconds + BigInt(LEAST_SECONDS), "expired"],
    [validBefore <= seconds + BigInt(MOST_SECONDS), "valid_too_long"],
  ];
  for (const [isFine, reason] of checks) if (!isFine) throw new NotAccepted(reason);
}

/**
 * r, s and v of the payer's own key. Longer signatures are of contract wallets (ERC-1271, ERC-6492), which can be valid
 * at one time and invalid at the next.
 * @throws NotAccepted
 */
export function checkSignature(signature: unknown): string {
  if (typeof signature !== "string" || !/^0x(?:[0-9a-fA-F]{2}){65,}$/.test(signature))
    throw new NotAccepted("malformed");
  if (signature.length !== 2 + 2 * 65) throw new NotAccepted("unsupported_signature");
  return signature;
}
