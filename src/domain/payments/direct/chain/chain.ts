/** A block of the chain. */
export interface Block {
  readonly number: number;
  /** 0x and 64 hexadecimal digits, in lower case: names this block and everything before it. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** What identifies a block; after a reorganisation the number alone means another block. */
export type BlockId = Pick<Block, "number" | "hash">;

/** An EIP-3009 authorization as it was signed; addresses and nonce in lower case. */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  /** Base units. */
  readonly value: string;
  /** Seconds since 1970; both exclusive. */
  readonly validAfter: number;
  readonly validBefore: number;
  /** 0x and 64 hexadecimal digits. */
  readonly nonce: string;
}

/** The event by which the token used an authorization up. */
export interface Use {
  /** The hash of the transaction. */
  readonly hash: string;
  readonly block: number;
  /**
   * `hash/log` of the authorization's transfer, which pays for one order only; null if it was cancelled, or paid
   * somebody else.
   */
  readonly transfer: string | null;
}

/** What the chain shows of an authorization, as of one block. */
export interface AuthorizationState {
  /** Whether the token counts it as used, by a transfer or by a cancellation. */
  readonly isUsed: boolean;
  /** Null if no event shows it: either it was not used, or the logs of the node lag behind its state. */
  readonly use: Use | null;
}

/** The authorization to look for, and where to look. */
export interface Search {
  readonly authorization: Omit<Authorization, "validAfter">;
  /** The block as of which the chain is read. */
  readonly at: Block;
  /** Height from which on its use can be found. */
  readonly since: number;
  /** Hash of the transaction in which it was found the last time. */
  readonly lastSeenIn?: string | undefined;
  /** A block that was final before, and that the chain must still have. */
  readonly checkpoint: BlockId | null;
}

/**
 * Reads the chain, which alone proves a payment, over JSON-RPC. Its nodes may be unreachable, lag, disagree, or belong
 * to another chain. An answer is returned only if it is certain to be about the chain whose id is set; otherwise every
 * method throws ChainUnreachable.
 */
export interface Chain {
  /** The newest block. */
  latest(): Promise<Block>;
  /** The newest block that can no longer be reorganised. */
  final(): Promise<Block>;
  /** The state of an authorization as of a block, read from a node that has this block. */
  authorizationState(search: Search): Promise<AuthorizationState>;
  /** Verifies that the block is still part of the chain. */
  verify(block: BlockId): Promise<void>;
  /** What the contract reports about itself, and whether its EIP-712 domain is made of these values. */
  token(): Promise<TokenInfo>;
}

/**
 * On a chain that does not report finality, a block with so many above it counts as final: no reorganisation is that
 * deep.
 */
export const REORGANISABLE = 64;

export interface TokenInfo {
  readonly chainId: number;
  /** Whether there is a contract at the address. */
  readonly isContract: boolean;
  /** Null if it does not report one. */
  readonly decimals: number | null;
  /** EIP-712 domain. */
  readonly name: string;
  readonly version: string;
  /** Whether DOMAIN_SEPARATOR of the contract follows from name, version, chain and address. */
  readonly isDomain: boolean;
}

/** Its message is written by us: neither the address of the RPC, which may hold a key, nor the node's text. */
export class ChainUnreachable extends Error {}

/** The node belongs to another chain, or to this chain after a restart from its first block. Waiting does not help. */
export class WrongChain extends ChainUnreachable {}
