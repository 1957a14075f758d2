/** A block of the chain. */
export interface Block {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

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

/** Where the transfer of an authorization stands. */
export interface Transfer {
  /** Of the transaction. */
  readonly hash: string;
  readonly block: number;
  /** `hash/log`: the very transfer, which pays for one thing only. */
  readonly id: string;
}

/**
 * What is asked of the chain: the only witness of a payment. It is asked by JSON-RPC, which may be away or lag.
 * Every method @throws ChainUnreachable
 */
export interface Chain {
  head(): Promise<Block>;
  /** Height that can no longer be reorganised; null where the chain does not say. */
  finalized(): Promise<number | null>;
  /** Whether the token has used up the authorization, by a transfer or by a cancellation. */
  isUsed(payer: string, nonce: string): Promise<boolean>;
  /**
   * The transfer that this authorization made: `AuthorizationUsed(payer, nonce)` of the token, and right beside
   * it among the token's logs `Transfer(from, to, value)`. A transfer of another authorization is none.
   * @param authorization with `validBefore`, a search that goes far back ends at the block that comes too late for it
   * @param since height from which on it can stand
   * @param before hash of the transaction that it stood in
   * @returns null where it stands nowhere
   */
  transferOf(
    authorization: Pick<Authorization, "from" | "to" | "value" | "nonce"> & Partial<Pick<Authorization, "validBefore">>,
    since: number,
    before?: string,
  ): Promise<Transfer | null>;
  /** What the contract says of itself, and whether its EIP-712 domain is the one that these make. */
  token(): Promise<TokenInfo>;
}

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
