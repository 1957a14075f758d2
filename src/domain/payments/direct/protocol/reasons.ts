/**
 * Why a payment is not accepted: the closed list of codes that `payment_invalid` has in `reason`, and PAYMENT-REQUIRED
 * in `error`, each with the sentence for the caller.
 */
export const REASONS = {
  malformed: "It is not base64 of a JSON object with the fields that its scheme has.",
  malformed_authorization:
    "Its authorization must have from, to, value, validAfter, validBefore and nonce: addresses, whole numbers as plain decimal text, and 32 bytes in hexadecimal.",
  unsupported_version: "Only version 2 of x402 is taken.",
  unsupported_scheme: "Only the scheme exact is taken.",
  unsupported_payload: "Only a transfer authorization of EIP-3009 is taken, no Permit2 and no transaction.",
  unsupported_signature: "Only a signature of 65 bytes by the payer's own key is taken, none of a contract wallet.",
  offer_mismatch: "What it accepts is not the offer of this pack as it stands now.",
  resource_mismatch: "It was signed for another resource.",
  wrong_recipient: "It does not pay the address of the offer.",
  wrong_amount: "Its value is not exactly the amount of the offer.",
  wrong_payer: "Its payer can be neither the recipient nor the zero address.",
  not_yet_valid: "It is not valid yet.",
  expired: "It has expired, or does so in a moment.",
  valid_too_long: "It is valid for more than 900 seconds from now.",
  challenge_unknown: "Its challenge was not made here, or was changed.",
  challenge_expired: "Its challenge has expired.",
  challenge_mismatch: "Its challenge belongs to another price.",
  nonce_mismatch: "Its nonce is not the hash of its challenge.",
  source_mismatch: "Its source is not its payer.",
  already_used: "It was used before, for another purchase, or was cancelled by its payer.",
  invalid_signature: "It was not signed by its payer for this token and chain.",
  insufficient_funds: "Its payer does not hold the amount.",
  transfer_failed: "The chain did not take the transfer.",
  refused_by_facilitator: "The facilitator did not take it.",
} as const;

export type Reason = keyof typeof REASONS;

/** Our code for the `invalidReason` or `errorReason` of a facilitator. */
export function reasonOf(said: unknown): Reason {
  return typeof said === "string" && Object.hasOwn(SAID, said) ? SAID[said]! : "refused_by_facilitator";
}

/** The codes of x402 v2 (specs/schemes/exact/scheme_exact_evm.md), and others that facilitators use. */
const SAID: Readonly<Record<string, Reason>> = {
  insufficient_funds: "insufficient_funds",
  invalid_exact_evm_insufficient_balance: "insufficient_funds",
  invalid_exact_evm_signature: "invalid_signature",
  invalid_exact_evm_failed_to_parse_signature: "invalid_signature",
  invalid_exact_evm_payload_signature: "invalid_signature",
  invalid_exact_evm_nonce_already_used: "already_used",
  invalid_exact_evm_payload_authorization_valid_after: "not_yet_valid",
  invalid_exact_evm_payload_authorization_valid_before: "expired",
  invalid_exact_evm_authorization_value: "wrong_amount",
  invalid_exact_evm_payload_authorization_value: "wrong_amount",
  invalid_exact_evm_payload_authorization_value_mismatch: "wrong_amount",
  invalid_exact_evm_recipient_mismatch: "wrong_recipient",
  invalid_exact_evm_payload_recipient_mismatch: "wrong_recipient",
  invalid_exact_evm_transaction_failed: "transfer_failed",
  invalid_exact_evm_transaction_simulation_failed: "transfer_failed",
  invalid_transaction_state: "transfer_failed",
};
