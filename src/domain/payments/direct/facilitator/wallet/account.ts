import { type Hex, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { HttpClient } from "../../../../../platform/http-client/http-client.ts";
import { isAway } from "../../chain/evm-rpc.ts";
import { asked, type Fees, type GasPrice } from "./fees.ts";
import { WalletNodes } from "./nodes.ts";
import type { SendResult } from "./send-result.ts";
import { type SentTransaction, type Transaction, Unmined } from "./unmined.ts";

export interface WalletSettings {
  /** Nodes of the chain. */
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly key: string;
  /** The highest price of a unit of gas (X402_MAX_GAS_GWEI). */
  readonly maxGasGwei: number;
}

/** What is signed: a payment, or an empty transfer to ourselves. */
export type Draft = Pick<SentTransaction, "payment" | "nonce" | "gas" | "fees">;

/**
 * Most gas that a transfer may use: Circle's token uses some 90,000, and a payer that is a contract decides how much it
 * uses.
 */
export const MOST_GAS = 300_000n;

/** Gas of an empty transfer; chains that count differently (Arbitrum) report their own figure. */
const EMPTY_GAS = 21_000n;

/** A payer that is a contract would make us spend more than a payment is worth. */
export class TooMuchGas extends Error {
  override readonly name = "TooMuchGas";
}

/** An account on a chain, the transactions it has sent, and how often it sent them again or replaced them. */
export class WalletAccount {
  readonly address: Hex;
  readonly nodes: WalletNodes;
  readonly unmined = new Unmined();
  /** In wei. */
  readonly cap: bigint;
  /** Since the start. */
  readonly counts = { resent: 0, replaced: 0, filled: 0 };
  /** Whether the last blocks required more than the cap. */
  isCapped = false;
  readonly #key: ReturnType<typeof privateKeyToAccount>;
  readonly #chainId: number;

  constructor({ rpcUrls, chainId, key, maxGasGwei }: WalletSettings, http: HttpClient) {
    this.nodes = new WalletNodes(rpcUrls, chainId, http);
    this.cap = BigInt(Math.round(maxGasGwei * 1e9));
    this.#key = privateKeyToAccount(key as Hex);
    this.address = this.#key.address;
    this.#chainId = chainId;
  }

  /** @throws Error if no node answers */
  async gasPrice(): Promise<GasPrice> {
    const price = await this.nodes.gasPrice();
    this.isCapped = asked(price) > this.cap;
    return price;
  }

  /**
   * Gas limit for a payment.
   * @throws Error of viem if the payment would fail in the current state of the chain
   */
  async gasFor(payment: Transaction): Promise<bigint> {
    const estimated = await this.nodes.client.estimateGas({ account: this.address, ...payment, prepare: false });
    if (estimated > MOST_GAS) throw new TooMuchGas();
    return (estimated * 12n) / 10n;
  }

  /**
   * Gas limit for an empty transfer to ourselves.
   * @throws Error if no node answers
   */
  async gasForNothing(): Promise<bigint> {
    const asked = { account: this.address, to: this.address, prepare: false } as const;
    const estimated = await this.nodes.client.estimateGas(asked);
    return estimated > EMPTY_GAS ? (estimated * 12n) / 10n : EMPTY_GAS;
  }

  /**
   * Whether a payment can still reach the chain.
   * @throws Error if no node answers
   */
  async stillSucceeds(payment: Transaction): Promise<boolean> {
    try {
      await this.gasFor(payment);
      return true;
    } catch (thrown) {
      if (isAway(thrown)) throw thrown;
      return false;
    }
  }

  /** @returns the signed transaction, not sent yet */
  async sign(draft: Draft, block: bigint, now: number): Promise<SentTransaction> {
    const raw = await this.#signed(draft);
    return { ...draft, raw, hashes: [keccak256(raw)], since: now, takenAt: null, block };
  }

  /** Signs again a transaction that may be in the pools of nodes; the next `send` replaces it there. */
  async resign(sent: SentTransaction, change: Omit<Draft, "nonce">): Promise<void> {
    const raw = await this.#signed({ ...change, nonce: sent.nonce });
    sent.hashes.push(keccak256(raw));
    Object.assign(sent, { ...change, raw, takenAt: null });
  }

  /** Sends the signed transaction to every node. */
  async send(sent: SentTransaction, block: bigint, now: number): Promise<SendResult> {
    const result = await this.nodes.broadcast(sent.raw);
    if (result === "taken" || result === "known") Object.assign(sent, { takenAt: now, block });
    return result;
  }

  #signed({ payment, nonce, gas, fees }: Draft): Promise<Hex> {
    const what = payment ?? { to: this.address, value: 0n };
    return this.#key.signTransaction({
      ...what,
      ...(fees as Fees & { type: "eip1559" }),
      gas,
      nonce,
      chainId: this.#chainId,
    });
  }
}
