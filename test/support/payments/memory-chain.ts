import { createHash } from "node:crypto";
import type { Search } from "../../../src/domain/payments/direct/chain/chain.ts";
import type { Clock } from "../../../src/platform/clock.ts";
import { type MemoryBlock, MemoryNode, useIn } from "./memory-node.ts";
import { type Log, type TokenCall, TokenState } from "./memory-token.ts";

interface Transaction {
  readonly hash: string;
  readonly asked: TokenCall;
}

interface MinedBlock extends MemoryBlock {
  readonly transactions: readonly (Transaction & { readonly logs: readonly Log[] })[];
}

/**
 * A chain with one token of EIP-3009, in memory: balances, nonces, blocks and logs, and a node that answers for it. The
 * same calls make the same chain. Addresses and nonces are compared in lower case.
 */
export class MemoryChain extends MemoryNode {
  /** Whether a transaction is in a block at once, or waits in the pool for `mine`. */
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

  /** Gives out of nothing. */
  fund(address: string, units: bigint | string): void {
    const key = address.toLowerCase();
    this.#funds.set(key, (this.#funds.get(key) ?? 0n) + BigInt(units));
  }

  balanceOf(address: string): bigint {
    return this.#state(this.#blocks).balanceOf(address.toLowerCase());
  }

  /** Whether the token holds an authorization for used, as the chain stands. */
  isUsed(payer: string, nonce: string): boolean {
    return this.#state(this.#blocks).isUsed(payer, nonce);
  }

  /** Whether an authorization has paid what it says, as the chain stands. */
  hasPaid(authorization: Search["authorization"]): boolean {
    return (useIn(this.#blocks, authorization, 0)?.transfer ?? null) !== null;
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  /** @returns the hash of the transaction, which may never make it into a block */
  submit(asked: TokenCall): string {
    const hash = hashOf([asked, this.#sent++]);
    this.#pool.push({ hash, asked });
    if (this.automine) this.mine();
    return hash;
  }

  /** Whether a transaction stands in a block: one that the token has thrown out does not. */
  hasMined(hash: string): boolean {
    return this.#blocks.some(({ transactions }) => transactions.some((one) => one.hash === hash));
  }

  /** Adds blocks without what waits. */
  mineEmpty(count = 1): void {
    const waiting = this.#pool;
    this.#pool = [];
    this.mine(count);
    this.#pool = waiting;
  }

  /** Adds blocks, of which the first holds what has waited. */
  mine(count = 1): void {
    for (let i = 0; i < count; i++) {
      const number = this.#blocks.length;
      const timestamp = Math.max(this.#blocks.at(-1)?.timestamp ?? 0, Math.floor(this.#clock.now() / 1000));
      const state = this.#state(this.#blocks);
      const transactions = this.#pool.flatMap((transaction) => {
        const logs = state.run(transaction.asked, timestamp);
        return logs ? [{ ...transaction, logs }] : [];
      });
      this.#pool = [];
      const parent = this.#blocks.at(-1)?.hash;
      const hash = hashOf([parent, number, timestamp, this.#reorganised, ...transactions.map((one) => one.hash)]);
      this.#blocks.push({ number, hash, timestamp, transactions });
    }
  }

  /** Replaces the newest blocks by as many empty ones. What stood in them waits in the pool again, or is lost. */
  reorganise(depth: number, fate: "waits again" | "is lost"): void {
    this.#reorganised += 1;
    const gone = this.#blocks.splice(-depth);
    const waiting = this.#pool;
    this.#pool = [];
    this.mine(gone.length);
    const undone = gone.flatMap(({ transactions }) => transactions.map(({ hash, asked }) => ({ hash, asked })));
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
