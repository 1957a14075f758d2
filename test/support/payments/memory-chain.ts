import { createHash } from "node:crypto";
import type { Authorization, Block, Chain, Transfer } from "../../../src/domain/payments/direct/chain/chain.ts";
import { ChainUnreachable } from "../../../src/domain/payments/direct/chain/chain.ts";
import type { Clock } from "../../../src/platform/clock.ts";

type Log =
  | { readonly event: "AuthorizationUsed" | "AuthorizationCanceled"; readonly from: string; readonly nonce: string }
  | { readonly event: "Transfer"; readonly from: string; readonly to: string; readonly value: string };

/** What a transaction asks of the token. */
export type TokenCall =
  | { readonly call: "transferWithAuthorization"; readonly authorization: Authorization }
  | { readonly call: "cancelAuthorization"; readonly from: string; readonly nonce: string }
  /** A contract that does as it likes. */
  | { readonly call: "anything"; readonly logs: readonly Log[] };

interface Transaction {
  readonly hash: string;
  readonly asked: TokenCall;
}

interface MinedBlock extends Block {
  readonly transactions: readonly (Transaction & { readonly logs: readonly Log[] })[];
}

export const CHAIN = {
  network: "eip155:31337",
  chainId: 31337,
  asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  payTo: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  domain: { name: "Test USD", version: "2" },
} as const;

/**
 * A chain with one token of EIP-3009, in memory: balances, nonces, blocks and logs, and everything that goes wrong with
 * what answers for one. The same calls make the same chain. Addresses and nonces are compared in lower case.
 */
export class MemoryChain implements Chain {
  /** Whether a transaction is in a block at once, or waits in the pool for `mine`. */
  automine = true;
  /** Nobody answers. */
  isAway = false;
  /** Blocks that the node which answers has not heard of yet. */
  lag = 0;
  /** Blocks that a block must have above it to be final; null: the chain does not say. */
  finality: number | null = null;
  /** Called before every answer, to hold it up or to fail it. */
  before: (asked: keyof Chain) => Promise<void> | void = () => undefined;

  readonly #clock: Pick<Clock, "now">;
  readonly #funds = new Map<string, bigint>();
  #blocks: MinedBlock[] = [];
  #pool: Transaction[] = [];
  #sent = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
    this.mine();
  }

  // What the chain does.

  /** Gives out of nothing. */
  fund(address: string, units: bigint | string): void {
    const key = address.toLowerCase();
    this.#funds.set(key, (this.#funds.get(key) ?? 0n) + BigInt(units));
  }

  balanceOf(address: string): bigint {
    return this.#state(this.#blocks).balanceOf(address.toLowerCase());
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  /** @returns the hash of the transaction, which may never make it into a block */
  submit(asked: TokenCall): string {
    const hash = `0x${createHash("sha256")
      .update(`${JSON.stringify(asked)}/${this.#sent++}`)
      .digest("hex")}`;
    this.#pool.push({ hash, asked });
    if (this.automine) this.mine();
    return hash;
  }

  /** Whether a transaction stands in a block: one that the token has thrown out does not. */
  hasMined(hash: string): boolean {
    return this.#blocks.some(({ transactions }) => transactions.some((one) => one.hash === hash));
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
      this.#blocks.push({ number, timestamp, transactions });
    }
  }

  /** Replaces the newest blocks by as many empty ones. What stood in them waits in the pool again, or is lost. */
  reorganise(depth: number, fate: "waits again" | "is lost"): void {
    const gone = this.#blocks.splice(-depth);
    const waiting = this.#pool;
    this.#pool = [];
    this.mine(gone.length);
    const undone = gone.flatMap(({ transactions }) => transactions.map(({ hash, asked }) => ({ hash, asked })));
    this.#pool = fate === "is lost" ? waiting : [...undone, ...waiting];
  }

  // What it answers.

  async head(): Promise<Block> {
    const { number, timestamp } = (await this.#seen("head")).at(-1)!;
    return { number, timestamp };
  }

  async finalized(): Promise<number | null> {
    const { length } = await this.#seen("finalized");
    return this.finality === null ? null : Math.max(0, length - 1 - this.finality);
  }

  async isUsed(payer: string, nonce: string): Promise<boolean> {
    return this.#state(await this.#seen("isUsed")).isUsed(payer, nonce);
  }

  async transferOf(wanted: Parameters<Chain["transferOf"]>[0], since: number): Promise<Transfer | null> {
    for (const { number, transactions } of await this.#seen("transferOf")) {
      if (number < since) continue;
      for (const { hash, logs } of transactions) {
        const used = logs.findIndex(
          (log) => log.event === "AuthorizationUsed" && log.from === wanted.from && log.nonce === wanted.nonce,
        );
        const next = logs[used + 1];
        const isOurs =
          used !== -1 &&
          next?.event === "Transfer" &&
          (["from", "to", "value"] as const).every((field) => next[field] === wanted[field]);
        if (isOurs) return { hash, block: number, id: `${hash}/${used + 1}` };
      }
    }
    return null;
  }

  async token() {
    await this.#seen("token");
    return { isContract: true, chainId: CHAIN.chainId, decimals: 6, ...CHAIN.domain, isDomain: true };
  }

  async #seen(asked: keyof Chain): Promise<readonly MinedBlock[]> {
    await this.before(asked);
    if (this.isAway) throw new ChainUnreachable("away");
    return this.#blocks.slice(0, Math.max(1, this.#blocks.length - this.lag));
  }

  #state(blocks: readonly MinedBlock[]): TokenState {
    return new TokenState(this.#funds, blocks);
  }
}

/** A node of the same chain that answers some questions in its own way. */
export function nodeOf(chain: MemoryChain, otherwise: Partial<Chain>): Chain {
  return {
    head: () => chain.head(),
    finalized: () => chain.finalized(),
    isUsed: (payer, nonce) => chain.isUsed(payer, nonce),
    transferOf: (wanted, since) => chain.transferOf(wanted, since),
    token: () => chain.token(),
    ...otherwise,
  };
}

/** The token after these blocks. */
class TokenState {
  readonly #balances: Map<string, bigint>;
  readonly #used = new Set<string>();

  constructor(funds: ReadonlyMap<string, bigint>, blocks: readonly MinedBlock[]) {
    this.#balances = new Map(funds);
    for (const { transactions } of blocks)
      for (const { logs } of transactions) logs.forEach((log) => void this.#take(log));
  }

  balanceOf(address: string): bigint {
    return this.#balances.get(address) ?? 0n;
  }

  isUsed(from: string, nonce: string): boolean {
    return this.#used.has(`${from}/${nonce}`);
  }

  /** @returns its logs, or null where the token throws it out */
  run(asked: TokenCall, timestamp: number): readonly Log[] | null {
    const logs = this.#logsOf(asked, timestamp);
    logs?.forEach((log) => void this.#take(log));
    return logs;
  }

  #logsOf(asked: TokenCall, timestamp: number): readonly Log[] | null {
    if (asked.call === "anything") return asked.logs;
    if (asked.call === "cancelAuthorization") {
      const { from, nonce } = asked;
      return this.isUsed(from, nonce) ? null : [{ event: "AuthorizationCanceled", from, nonce }];
    }
    const { from, to, value, validAfter, validBefore, nonce } = asked.authorization;
    const isInTime = timestamp > validAfter && timestamp < validBefore;
    if (this.isUsed(from, nonce) || !isInTime || this.balanceOf(from) < BigInt(value)) return null;
    return [
      { event: "AuthorizationUsed", from, nonce },
      { event: "Transfer", from, to, value },
    ];
  }

  #take(log: Log): void {
    if (log.event !== "Transfer") {
      this.#used.add(`${log.from}/${log.nonce}`);
      return;
    }
    this.#balances.set(log.from, this.balanceOf(log.from) - BigInt(log.value));
    this.#balances.set(log.to, this.balanceOf(log.to) + BigInt(log.value));
  }
}
