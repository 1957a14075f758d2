import { reasonOf } from "../protocol/reasons.ts";
import type { SettleResult } from "./facilitator.ts";

/** The fields of an answer to `/settle` that are used. */
export interface SettleResponse {
  readonly success?: unknown;
  readonly errorReason?: unknown;
  readonly transaction?: unknown;
  readonly network?: unknown;
  readonly payer?: unknown;
}

/** The payment that was to be settled. */
export interface PaymentRef {
  readonly payer: string;
  readonly network: string;
}

/**
 * The outcome that an answer to `/settle` proves. A refusal counts only if its code leaves no doubt that nothing was
 * submitted; an answer that names a transaction, another payer or another network leaves a doubt.
 */
export function settlementOf(
  { success, errorReason, transaction, network, payer }: SettleResponse,
  about: PaymentRef,
): SettleResult {
  const isOurs = namesNoOther(network, about.network) && namesNoOther(payer, about.payer);
  if (success === true && isOurs && isHash(transaction)) return { outcome: "done" };
  const isEmpty = transaction === undefined || transaction === null || transaction === "";
  const isPlain = success === false && isOurs && isEmpty && REFUSALS.has(errorReason);
  return isPlain ? { outcome: "refused", reason: reasonOf(errorReason) } : { outcome: "unknown" };
}

/** Whether an optional field of an answer has the expected value or is missing. */
export function namesNoOther(named: unknown, expected: string): boolean {
  if (named === undefined || named === null || named === "") return true;
  return typeof named === "string" && named.toLowerCase() === expected.toLowerCase();
}

function isHash(said: unknown): boolean {
  return typeof said === "string" && /^0x[0-9a-f]{64}$/i.test(said);
}

/**
 * Codes of x402 v2 (specs/x402-specification-v2.md, error codes) and of its EVM facilitator for a payment that was not
 * submitted. Similar codes are used after it was submitted: `…_transaction_failed` also if sending timed out,
 * `…_nonce_already_used` of a transaction that may be ours, `…_valid_before` of one that an earlier call may have sent
 * in time.
 */
const REFUSALS: ReadonlySet<unknown> = new Set([
  "insufficient_funds",
  "invalid_network",
  "invalid_payload",
  "invalid_payment_requirements",
  "invalid_scheme",
  "invalid_x402_version",
  "unsupported_scheme",
  "unsupported_payload_type",
  "asset_not_deployed_contract",
  "eip6492_factory_not_allowed",
  "invalid_exact_evm_scheme",
  "invalid_exact_evm_network_mismatch",
  "invalid_exact_evm_missing_eip712_domain",
  "invalid_exact_evm_token_name_mismatch",
  "invalid_exact_evm_token_version_mismatch",
  "invalid_exact_evm_eip3009_not_supported",
  "invalid_exact_evm_insufficient_balance",
  "invalid_exact_evm_signature",
  "invalid_exact_evm_failed_to_parse_signature",
  "invalid_exact_evm_payload_signature",
  "invalid_exact_evm_payload_authorization_valid_after",
  "invalid_exact_evm_authorization_value",
  "invalid_exact_evm_payload_authorization_value",
  "invalid_exact_evm_payload_authorization_value_mismatch",
  "invalid_exact_evm_recipient_mismatch",
  "invalid_exact_evm_payload_recipient_mismatch",
]);
