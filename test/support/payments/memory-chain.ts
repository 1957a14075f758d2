import { createHash } from "node:crypto";
import type { Search } from "../../../src/domain/payments/direct/chain/chain.ts";
import type { Clock } from "../../../src/platform/clock.ts";
import { type MemoryBlock, MemoryNode, useIn } from "./memory-node.ts";
import { type Log, type TokenCall, TokenState } from "./memory-token.ts";

interface Transaction {
  readonly hash: string;
  readonly call: TokenCall;
}

interface MinedBlock extends MemoryBlock {
  readonly transactions: readonly (Transaction & { readonly logs: readonly Log[] })[];
}

/**
 * A chain in memory with one EIP-3009 token: balances, nonces, blocks and logs, and a node that serves them. It is
 * deterministic: the same calls make the same blocks. Addresses and nonces are compared in lower case.
 */
export class MemoryChain extends MemoryNode {
  /** True: each transaction is mined at once. False: it waits in the pool for `mine`. */
  automine = true;

  readonly #clock: Pick<Clock, "now">;
  readonly #funds = new Map<string, bigint>();
  #blocks: MinedBlock[] = [];
  #pool: Transaction[] = [];
  #sent = 0;
  #reorganised = 0;

  constructor(clock: Pick<Clock, "now">) {
    super({ blocks: () => this.#blocks, stateAfter: (blocks) => this.#state(blocks) });
    this.#clock = clock;
    this.mine();
  }

  /** Mints. */
  fund(address: string, units: bigint | string): void {
    const key = address.toLowerCase();
    this.#funds.set(key, (this.#funds.get(key) ?? 0n) + BigInt(units));
  }

  balanceOf(address: string): bigint {
    return this.#state(this.#blocks).balanceOf(address.toLowerCase());
  }

  /** Whether an authorization is used or cancelled, in the newest block. */
  isUsed(payer: string, nonce: string): boolean {
    return this.#state(this.#blocks).isUsed(payer, nonce);
  }

  /** Whether the transfer of an authorization is on the chain. */
  hasPaid(authorization: Search["authorization"]): boolean {
    return (useIn(this.#blocks, authorization, 0)?.transfer ?? null) !== null;
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  /** @returns the hash of the transaction, which may never make it into a block */
  submit(call: TokenCall): string {
    const hash = hashOf([call, this.#sent++]);
    this.#pool.push({ hash, call });
    if (this.automine) this.mine();
    return hash;
  }

  /** Whether a transaction is in a block; one that the token has reverted is not. */
  hasMined(hash: string): boolean {
    return this.#blocks.some(({ transactions }) => transactions.some((one) => one.hash === hash));
  }

  /** Adds empty blocks; the pool keeps its transactions. */
  mineEmpty(count = 1): void {
    const waiting = this.#pool;
    this.#pool = [];
    this.mine(count);
    this.#pool = waiting;
  }

  /** Adds blocks; the first contains the transactions of the pool. */
  mine(count = 1): void {
    for (let i = 0; i < count; i++) {
      const number = this.#blocks.length;
      const timestamp = Math.max(this.#blocks.at(-1)?.timestamp ?? 0, Math.floor(this.#clock.now() / 1000));
      const state = this.#state(this.#blocks);
      const transactions = this.#pool.flatMap((transaction) => {
        const logs = state.run(transaction.call, timestamp);
        return logs ? [{ ...transaction, logs }] : [];
      });
      this.#pool = [];
      const parent = this.#blocks.at(-1)?.hash;
      const hash = hashOf([parent, number, timestamp, this.#reorganised, ...transactions.map((one) => one.hash)]);
      this.#blocks.push({ number, hash, timestamp, transactions });
    }
  }

  /** Replaces the newest blocks by empty ones. Their transactions return to the pool, or are lost. */
  reorganise(depth: number, fate: "waits again" | "is lost"): void {
    this.#reorganised += 1;
    const removed = this.#blocks.splice(-depth);
    const waiting = this.#pool;
    this.#pool = [];
    this.mine(removed.length);
    const undone = removed.flatMap(({ transactions }) => transactions.map(({ hash, call }) => ({ hash, call })));
    this.#pool = fate === "is lost" ? waiting : [...undone, ...waiting];
  }

  /** Another node of the same chain, with faults of its own. */
  node(): MemoryNode {
    return new MemoryNode({ blocks: () => this.#blocks, stateAfter: (blocks) => this.#state(blocks) });
  }

  #state(blocks: readonly MemoryBlock[]): TokenState {
    return new TokenState(
      this.#funds,
      blocks.flatMap(({ transactions }) => transactions.flatMap(({ logs }) => logs)),
    );
  }
}

function hashOf(parts: readonly unknown[]): string {
  return `0x${createHash("sha256").update(JSON.stringify(parts)).digest("hex")}`;
}
