import { expect, test } from "vitest";
import { bestOf, resultOf } from "../../../../../../../src/domain/payments/direct/facilitator/wallet/send-result.ts";

/** As go-ethereum, Nethermind, Erigon, Reth, Besu and Anvil say it. */
test.each([
  ["already known", "known"],
  ["AlreadyKnown", "known"],
  ["transaction already imported", "known"],
  ["nonce too low: next nonce 5, tx nonce 4", "used"],
  ["OldNonce, Current nonce: 5, nonce of rejected tx: 4", "used"],
  ["Nonce too low", "used"],
  ["replacement transaction underpriced: new tx gas fee cap 1 <= 2", "occupied"],
  ["ReplacementNotAllowed, CurrentFee too low", "occupied"],
  ["transaction underpriced: gas tip cap 0, minimum needed 1", "cheap"],
  ["Transaction gas price cannot cover; FeeTooLow", "cheap"],
  ["max fee per gas less than block base fee", "cheap"],
  ["insufficient funds for gas * price + value: balance 0, tx cost 1", "poor"],
  ["InsufficientFunds, Balance is 0", "poor"],
  ["transaction rejected by policy", "refused"],
  ["exceeds block gas limit", "refused"],
  ["txpool is full", "refused"],
  ["internal error", "unknown"],
  ["", "unknown"],
])("%s: %s", (message, expected) => expect(resultOf(message)).toBe(expected));

test.each([
  [["refused", "taken"], "taken"],
  [["unknown", "known"], "known"],
  [["refused", "unknown"], "unknown"],
  [["occupied", "used"], "used"],
  [[], "unknown"],
] as const)("several nodes: %s comes to %s", (results, expected) => expect(bestOf(results)).toBe(expected));
