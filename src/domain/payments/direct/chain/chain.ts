/** A block of the chain. */
export interface Block {
  readonly number: number;
  /** 0x and 64 hexadecimal digits, in lower case: names this block and everything before it. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** What names a block for good; the number alone names another one after a reorganisation. */
export type BlockId = Pick<Block, "number" | "hash">;

/** An EIP-3009 authorization as it was signed; addresses and nonce in lower case. */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  /** Base units. */
  readonly value: string;
  /** Seconds since 1970: the chain accepts it after the one and before the other. */
  readonly validAfter: number;
  readonly validBefore: number;
  /** 0x and 64 hexadecimal digits. */
  readonly nonce: string;
}

/** The event by which the token used an authorization up. */
export interface Use {
  /** Of the transaction. */
  readonly hash: string;
  readonly block: number;
  /**
   * `hash/log` of the transfer that the authorization asked for, which pays for one thing only; null where it was
   * cancelled, or paid somebody else.
   */
  readonly transfer: string | null;
}

/** What the chain shows of an authorization, as of one block. */
export interface AuthorizationState {
  /** Whether the token holds it for used, by a transfer or by a cancellation. */
  readonly isUsed: boolean;
  /** Null where no event shows it: it was not used, or the logs of the node are behind its state. */
  readonly use: Use | null;
}

/** Which authorization is looked for, and where. */
export interface Search {
  readonly authorization: Omit<Authorization, "validAfter">;
  /** The block as of which the chain is asked. */
  readonly at: Block;
  /** Height from which on its use can stand. */
  readonly since: number;
  /** Hash of the transaction that it stood in when it was seen last. */
  readonly lastSeenIn?: string | undefined;
  /** A block that was final before, and that the chain must still have. */
  readonly checkpoint: BlockId | null;
}

/**
 * What is asked of the chain: the only witness of a payment. It is asked by JSON-RPC, of nodes that may be away, lag,
 * disagree, or belong to another chain. Every answer is that of the chain whose id is set.
 *
 * Every method @throws ChainUnreachable where that is not certain
 */
export interface Chain {
  /** The newest block. */
  latest(): Promise<Block>;
  /** The newest block that can no longer be reorganised. */
  final(): Promise<Block>;
  /** What became of an authorization up to a block. It is read as of that very block, from a node that has it. */
  authorizationState(search: Search): Promise<AuthorizationState>;
  /** Makes sure that a block still stands at its height. */
  verify(block: BlockId): Promise<void>;
  /** What the contract says of itself, and whether its EIP-712 domain is the one that these make. */
  token(): Promise<TokenInfo>;
}

/** A block with so many above it is final on a chain that does not say what is: no reorganisation goes as deep. */
export const REORGANISABLE = 64;

export interface TokenInfo {
  readonly chainId: number;
  /** Whether a contract stands at the address at all. */
  readonly isContract: boolean;
  /** Null where it does not say. */
  readonly decimals: number | null;
  /** EIP-712 domain. */
  readonly name: string;
  readonly version: string;
  /** Whether DOMAIN_SEPARATOR of the contract is that of name, version, chain and address. */
  readonly isDomain: boolean;
}

/** Its message is in our words: neither the address of the RPC, which may hold a key, nor what it said. */
export class ChainUnreachable extends Error {}

/** The node belongs to another chain, or to this one started anew: waiting does not help. */
export class WrongChain extends ChainUnreachable {}
