/**
 * What nodes make of a transaction that they are sent, the better first:
 *
 * - `taken`: it is in a pool now. `known`: it was before.
 * - `used`: its nonce is that of a mined one. `occupied`: another transaction of this nonce offers as much.
 * - `cheap`: it offers too little for the node or for the block.
 * - `unknown`: the node gave no answer, and may have taken it.
 * - `poor`: the account has not enough to pay for it. `refused`: it was not taken, for another reason.
 */
const RESULTS = ["taken", "known", "used", "occupied", "cheap", "unknown", "poor", "refused"] as const;

export type SendResult = (typeof RESULTS)[number];

/** The result of several nodes: one that has the transaction is enough, and one that may have it leaves a doubt. */
export function bestOf(results: readonly SendResult[]): SendResult {
  return RESULTS.find((result) => results.includes(result)) ?? "unknown";
}

/**
 * Messages of go-ethereum (core/txpool/errors.go, core/error.go), which most nodes use too, and those of Nethermind,
 * Reth and Anvil that differ. After any other message the outcome is unknown.
 */
const WORDS: readonly (readonly [RegExp, SendResult])[] = [
  [/already known|already imported|already in (the )?(tx|transaction|mem)?\s?pool|AlreadyKnown/i, "known"],
  [/nonce (is )?too low|OldNonce/i, "used"],
  [/replacement transaction underpriced|ReplacementNotAllowed|could not replace/i, "occupied"],
  [/underpriced|less than (the )?block base fee|fee ?cap ?too ?low|fee too low|FeeTooLow/i, "cheap"],
  [/insufficient (funds|balance)|InsufficientFunds/i, "poor"],
  [/gas limit|intrinsic gas|pool is full|rejected|denied|not allowed/i, "refused"],
];

/** @param message of a JSON-RPC error that answers `eth_sendRawTransaction` */
export function resultOf(message: string): SendResult {
  return WORDS.find(([words]) => words.test(message))?.[1] ?? "unknown";
}
