import {
  type AuthorizationState,
  type Block,
  type BlockId,
  type Chain,
  ChainUnreachable,
  REORGANISABLE,
  type Search,
  type Use,
  WrongChain,
} from "../../../src/domain/payments/direct/chain/chain.ts";
import { CHAIN, type Log, type TokenState } from "./memory-token.ts";

export interface MemoryBlock extends Block {
  readonly transactions: readonly { readonly hash: string; readonly logs: readonly Log[] }[];
}

/** The chain that a node serves. */
interface Source {
  blocks(): readonly MemoryBlock[];
  stateAfter(blocks: readonly MemoryBlock[]): TokenState;
}

/** A node of a chain in memory, with faults that tests can set. */
export class MemoryNode implements Chain {
  /** It does not answer. */
  isAway = false;
  /** It serves another chain, of the same length and without payments. */
  isOfAnotherChain = false;
  /** Number of newest blocks that it does not have yet. */
  lag = 0;
  /** Number of newest blocks of which it has the state, but not the logs yet. */
  logLag = 0;
  /** Number of blocks above a final block; null: the chain does not report finality. */
  finality: number | null = null;
  /** Called before every answer, to delay it or to fail it. */
  before: (asked: keyof Chain) => Promise<void> | void = () => undefined;

  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  async latest(): Promise<Block> {
    return blockOf((await this.#visible("latest")).at(-1)!);
  }

  async final(): Promise<Block> {
    const blocks = await this.#visible("final");
    return blockOf(blocks[Math.max(0, blocks.length - 1 - (this.finality ?? REORGANISABLE))]!);
  }

  async verify(block: BlockId): Promise<void> {
    requireBlock(await this.#visible("verify"), block);
  }

  async authorizationState({ authorization, at, since, checkpoint }: Search): Promise<AuthorizationState> {
    const blocks = await this.#visible("authorizationState");
    if (blocks[at.number]?.hash !== at.hash) throw new ChainUnreachable("it does not have that block");
    if (checkpoint) requireBlock(blocks, checkpoint);
    const { from, nonce } = authorization;
    const isUsed = this.#source.stateAfter(blocks.slice(0, at.number + 1)).isUsed(from, nonce);
    const logged = blocks.slice(0, Math.max(0, Math.min(at.number + 1, blocks.length - this.logLag)));
    return { isUsed, use: isUsed ? useIn(logged, authorization, since) : null };
  }

  async token() {
    await this.#visible("token");
    return { isContract: true, chainId: CHAIN.chainId, decimals: 6, ...CHAIN.domain, isDomain: true };
  }

  async #visible(asked: keyof Chain): Promise<readonly MemoryBlock[]> {
    await this.before(asked);
    if (this.isAway) throw new ChainUnreachable("away");
    const own = this.#source.blocks();
    const blocks = this.isOfAnotherChain ? own.map(onOtherChain) : own;
    return blocks.slice(0, Math.max(1, blocks.length - this.lag));
  }
}

/** A node with some of its methods replaced. */
export function nodeOf(node: Chain, overrides: Partial<Chain>): Chain {
  return {
    latest: () => node.latest(),
    final: () => node.final(),
    verify: (block) => node.verify(block),
    authorizationState: (search) => node.authorizationState(search),
    token: () => node.token(),
    ...overrides,
  };
}

function onOtherChain({ number, timestamp }: MemoryBlock): MemoryBlock {
  return { number, timestamp, hash: `0x${number.toString(16).padStart(64, "f")}`, transactions: [] };
}

function blockOf({ number, hash, timestamp }: MemoryBlock): Block {
  return { number, hash, timestamp };
}

function requireBlock(blocks: readonly MemoryBlock[], { number, hash }: BlockId): void {
  if (number >= blocks.length) throw new ChainUnreachable("it is behind");
  if (blocks[number]!.hash !== hash) throw new WrongChain("another chain");
}

/** Finds the use of an authorization in the logs. Like Circle's token, the transfer follows it directly. */
export function useIn(blocks: readonly MemoryBlock[], sought: Search["authorization"], since: number): Use | null {
  for (const { number, transactions } of blocks.slice(since))
    for (const { hash, logs } of transactions) {
      const index = logs.findIndex(
        (log) => log.event !== "Transfer" && log.from === sought.from && log.nonce === sought.nonce,
      );
      if (index === -1) continue;
      const next = logs[index]!.event === "AuthorizationUsed" ? logs[index + 1] : undefined;
      const isPayment =
        next?.event === "Transfer" &&
        (["from", "to", "value"] as const).every((field) => next[field] === sought[field]);
      return { hash, block: number, transfer: isPayment ? `${hash}/${index + 1}` : null };
    }
  return null;
}
