import { setTimeout as sleep } from "node:timers/promises";
import { createPublicClient, type Hex, type PublicClient, RpcRequestError, type TransactionReceipt } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { MINUTE, SECOND } from "../../../../platform/clock.ts";
import { Mutex } from "../../../../platform/concurrency.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import { findCause, rpcTransport } from "../chain/evm-rpc.ts";

export interface WalletSettings {
  /** Nodes of the chain. */
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly key: string;
}

export interface Transaction {
  readonly to: Hex;
  readonly data: Hex;
}

/** Most gas that a transfer is worth: Circle's takes some 90,000, and a payer that is a contract says how much it takes. */
const MOST_GAS = 300_000n;

/** How long the node may not know yet what was sent. */
const SETTLING_MS = MINUTE;

/** How many nonces are tried while other processes with the same key take them. */
const MOST_NONCES = 10;

/** The account of X402_FACILITATOR_KEY, which pays the gas of payments. */
export class FacilitatorWallet {
  readonly client: PublicClient;
  readonly address: Hex;
  readonly #account: ReturnType<typeof privateKeyToAccount>;
  readonly #chainId: number;
  readonly #sending = new Mutex();
  #next = { nonce: 0, until: 0 };

  constructor({ rpcUrls, chainId, key }: WalletSettings, http: HttpClient) {
    // A payer that is a contract could have our calls fetched from anywhere (ERC-3668).
    this.client = createPublicClient({ transport: rpcTransport(rpcUrls[0]!, http), ccipRead: false, cacheTime: 0 });
    this.#account = privateKeyToAccount(key as Hex);
    this.address = this.#account.address;
    this.#chainId = chainId;
  }

  /**
   * Sends a transaction that succeeds as the chain stands. @throws Error of viem when it would not
   * @param beforeSend before it leaves; should it throw, it does not
   */
  async send(transaction: Transaction, beforeSend: () => void): Promise<Hex> {
    const asked = { account: this.address, ...transaction, prepare: false } as const;
    const [estimated, fees] = await Promise.all([this.client.estimateGas(asked), this.#fees()]);
    if (estimated > MOST_GAS) throw new Error("the transfer takes too much gas");
    const gas = (estimated * 12n) / 10n;
    return this.#inTurn(async (nonce) => {
      const signed = await this.#account.signTransaction({
        ...transaction,
        ...fees,
        gas,
        nonce,
        chainId: this.#chainId,
      });
      beforeSend();
      const hash = await this.client.sendRawTransaction({ serializedTransaction: signed });
      // Whether it was taken cannot be told; should it not be, its nonce is the next one's.
      if (typeof hash !== "string") throw new Error("the node does not say what it was sent");
      return hash;
    });
  }

  /** Whether the account could not pay for one transfer. */
  async lacksGas(): Promise<boolean> {
    const [balance, gasPrice] = await Promise.all([
      this.client.getBalance({ address: this.address }),
      this.client.getGasPrice(),
    ]);
    return balance < MOST_GAS * gasPrice;
  }

  /** Waits for a transaction to stand in a block. @throws Error after `ms` */
  async receiptOf(hash: Hex, ms: number): Promise<TransactionReceipt> {
    const end = Date.now() + ms;
    for (let pause = 25; ; pause = Math.min(2 * pause, SECOND)) {
      const receipt = await this.client.getTransactionReceipt({ hash }).catch(() => null);
      if (receipt) return receipt;
      if (Date.now() + pause > end) throw new Error("not mined in time");
      await sleep(pause);
    }
  }

  /** The base fee may double before the transfer is in a block; on chains without one, what the node says. */
  async #fees() {
    const { baseFeePerGas } = await this.client.getBlock();
    if (typeof baseFeePerGas !== "bigint")
      return { type: "legacy", gasPrice: await this.client.getGasPrice() } as const;
    const maxPriorityFeePerGas = await this.client.estimateMaxPriorityFeePerGas();
    return { type: "eip1559", maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas, maxPriorityFeePerGas } as const;
  }

  /**
   * One after the other, each with the next nonce. It is taken only by what was sent: with a nonce that is skipped, as
   * viem's own counter skips it when sending fails, everything after it would wait for ever.
   */
  #inTurn(send: (nonce: number) => Promise<Hex>): Promise<Hex> {
    return this.#sending.run(async () => {
      let free = Date.now() < this.#next.until ? this.#next.nonce : 0;
      for (let tries = 1; ; tries++) {
        const counted = await this.client.getTransactionCount({ address: this.address, blockTag: "pending" });
        const nonce = Math.max(counted, free);
        try {
          const hash = await send(nonce);
          this.#next = { nonce: nonce + 1, until: Date.now() + SETTLING_MS };
          return hash;
        } catch (thrown) {
          if (!isTaken(thrown) || tries >= MOST_NONCES) throw thrown;
          free = nonce + 1;
        }
      }
    });
  }
}

/**
 * Whether another process has used the nonce: the words are those of go-ethereum (core/txpool/errors.go), which other
 * nodes have taken over. A payment that was sent after all is refused by its token, whatever nonce it comes with again.
 */
function isTaken(thrown: unknown): boolean {
  const refused = findCause(thrown, RpcRequestError);
  return refused !== null && /nonce too low|replacement transaction underpriced/i.test(refused.details);
}
