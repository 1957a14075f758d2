import type { Authorization } from "../../../src/domain/payments/direct/chain/chain.ts";

export const CHAIN = {
  network: "eip155:31337",
  chainId: 31337,
  asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  payTo: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  domain: { name: "Test USD", version: "2" },
} as const;

/** An event of the token. */
export type Log =
  | { readonly event: "AuthorizationUsed" | "AuthorizationCanceled"; readonly from: string; readonly nonce: string }
  | { readonly event: "Transfer"; readonly from: string; readonly to: string; readonly value: string };

/** A call of the token by a transaction. */
export type TokenCall =
  | { readonly call: "transferWithAuthorization"; readonly authorization: Authorization }
  | { readonly call: "cancelAuthorization"; readonly from: string; readonly nonce: string }
  /** Another contract, which emits any logs. */
  | { readonly call: "anything"; readonly logs: readonly Log[] };

/** The state of the token after these logs. */
export class TokenState {
  readonly #balances: Map<string, bigint>;
  readonly #used = new Set<string>();

  constructor(funds: ReadonlyMap<string, bigint>, logs: readonly Log[]) {
    this.#balances = new Map(funds);
    for (const log of logs) this.#apply(log);
  }

  balanceOf(address: string): bigint {
    return this.#balances.get(address) ?? 0n;
  }

  isUsed(from: string, nonce: string): boolean {
    return this.#used.has(`${from}/${nonce}`);
  }

  /** @returns the logs of the call; null: the token reverts it */
  run(call: TokenCall, timestamp: number): readonly Log[] | null {
    const logs = this.#logsOf(call, timestamp);
    logs?.forEach((log) => void this.#apply(log));
    return logs;
  }

  #logsOf(call: TokenCall, timestamp: number): readonly Log[] | null {
    if (call.call === "anything") return call.logs;
    if (call.call === "cancelAuthorization") {
      const { from, nonce } = call;
      return this.isUsed(from, nonce) ? null : [{ event: "AuthorizationCanceled", from, nonce }];
    }
    const { from, to, value, validAfter, validBefore, nonce } = call.authorization;
    const isInTime = timestamp > validAfter && timestamp < validBefore;
    if (this.isUsed(from, nonce) || !isInTime || this.balanceOf(from) < BigInt(value)) return null;
    return [
      { event: "AuthorizationUsed", from, nonce },
      { event: "Transfer", from, to, value },
    ];
  }

  #apply(log: Log): void {
    if (log.event !== "Transfer") {
      this.#used.add(`${log.from}/${log.nonce}`);
      return;
    }
    this.#balances.set(log.from, this.balanceOf(log.from) - BigInt(log.value));
    this.#balances.set(log.to, this.balanceOf(log.to) + BigInt(log.value));
  }
}
