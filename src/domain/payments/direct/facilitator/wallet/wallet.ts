import { setTimeout as sleep } from "node:timers/promises";
import type { Hex, PublicClient, TransactionReceipt } from "viem";
import { SECOND } from "../../../../../platform/clock.ts";
import { Mutex } from "../../../../../platform/concurrency.ts";
import type { HttpClient } from "../../../../../platform/http-client/http-client.ts";
import { MOST_GAS, WalletAccount, type WalletSettings } from "./account.ts";
import { asked, offerFor } from "./fees.ts";
import type { SendResult } from "./send-result.ts";
import type { SentTransaction, Transaction } from "./unmined.ts";
import { Upkeep } from "./upkeep.ts";

/** How many nonces are tried while other processes with the same key take them. */
const MOST_NONCES = 10;

/** The balance, fees and pending transactions of an account. */
export interface WalletState {
  readonly address: Hex;
  /** In wei. */
  readonly balance: bigint;
  /** Highest cost of the gas of one payment at present, in wei. */
  readonly cost: bigint;
  /** What a block requires for a unit of gas, and the highest price that is paid, in wei. */
  readonly gasPrice: bigint;
  readonly cap: bigint;
  /** Transactions in the pool of a node. */
  readonly unmined: number;
}

/** What a process has done for its account. */
export interface WalletFigures {
  /** Transactions that are not mined: those of this process, and those of others that it has seen. */
  readonly unmined: number;
  /** How long the oldest of this process has waited, in ms. */
  readonly oldestMs: number;
  /** Transactions sent again, replaced by a higher offer, and nonces used up, since the start. */
  readonly resent: number;
  readonly replaced: number;
  readonly filled: number;
  /** In ms since 1970. */
  readonly lastReplacedAt: number | null;
  /** Whether gas was more expensive than the cap at the last check. */
  readonly isCapped: boolean;
}

/** The account of X402_FACILITATOR_KEY, which pays the gas of payments. */
export class FacilitatorWallet {
  readonly #account: WalletAccount;
  readonly #upkeep: Upkeep;
  readonly #sending = new Mutex();

  constructor(settings: WalletSettings, http: HttpClient) {
    this.#account = new WalletAccount(settings, http);
    this.#upkeep = new Upkeep(this.#account);
  }

  get address(): Hex {
    return this.#account.address;
  }

  get client(): PublicClient {
    return this.#account.nodes.client;
  }

  /**
   * Sends a transaction that succeeds in the current state of the chain; one that is pending is sent again unchanged.
   * @param beforeSend called before it is sent
   * @throws GasTooDear, NotTaken; Error of viem if it would not succeed, or no node answers
   */
  async send(payment: Transaction, beforeSend: () => void): Promise<SentTransaction> {
    const { unmined } = this.#account;
    const gas = unmined.carrying(payment) ? 0n : await this.#account.gasFor(payment);
    return this.#sending.run(async () => {
      const sent = unmined.carrying(payment);
      beforeSend();
      return sent ? this.#resend(sent) : this.#sendNew(payment, gas);
    });
  }

  /** Whether a payment is still pending in this transaction, or in one that has replaced it. */
  carries(sent: SentTransaction): boolean {
    return sent.payment !== null && this.#account.unmined.has(sent);
  }

  /** Whether there is work for the upkeep. */
  get isBusy(): boolean {
    return this.#account.unmined.size + this.#upkeep.foreign > 0;
  }

  /**
   * Does a round of upkeep.
   * @throws Error if no node answers
   */
  upkeep(): Promise<void> {
    return this.#sending.run(() => this.#upkeep.round(Date.now()));
  }

  /** @throws GasTooDear; Error if no node answers */
  async checkPrice(): Promise<void> {
    offerFor(await this.#account.gasPrice(), this.#account.cap);
  }

  /** @throws Error if no node answers */
  async state(): Promise<WalletState> {
    const { nodes, address, cap } = this.#account;
    const [balance, price, { mined, pending }] = await Promise.all([
      this.client.getBalance({ address }),
      this.#account.gasPrice(),
      nodes.counts(address),
    ]);
    const gasPrice = asked(price);
    return { address, balance, cost: MOST_GAS * gasPrice, gasPrice, cap, unmined: Math.max(0, pending - mined) };
  }

  figures(): WalletFigures {
    const { unmined, counts, isCapped } = this.#account;
    const { foreign, lastReplacedAt } = this.#upkeep;
    const now = Date.now();
    const oldestMs = Math.max(0, ...unmined.all().map(({ since }) => now - since));
    return { unmined: unmined.size + foreign, oldestMs, ...counts, lastReplacedAt, isCapped };
  }

  /**
   * Whether the account cannot pay for one transfer.
   * @throws Error if no node answers
   */
  async lacksGas(): Promise<boolean> {
    const [balance, price] = await Promise.all([
      this.client.getBalance({ address: this.address }),
      this.#account.gasPrice(),
    ]);
    return balance < MOST_GAS * asked(price);
  }

  /**
   * Waits until a transaction, or one that has replaced it, is in a block.
   * @throws Error after `ms`
   */
  async receiptOf(sent: SentTransaction, ms: number): Promise<TransactionReceipt> {
    const end = Date.now() + ms;
    for (let pause = 25; ; pause = Math.min(2 * pause, SECOND)) {
      for (const hash of sent.hashes) {
        const receipt = await this.client.getTransactionReceipt({ hash }).catch(() => null);
        if (!receipt) continue;
        this.#account.unmined.forgetBelow(sent.nonce + 1, Date.now());
        return receipt;
      }
      if (Date.now() + pause > end) throw new Error("not mined in time");
      await sleep(pause);
    }
  }

  /** With the lowest free nonce; other processes may use it at the same moment. */
  async #sendNew(payment: Transaction, gas: bigint): Promise<SentTransaction> {
    const { nodes, unmined, cap } = this.#account;
    const price = await this.#account.gasPrice();
    const fees = offerFor(price, cap);
    let least = 0;
    for (let tries = 1; ; tries++) {
      const nonce = unmined.nextNonce(await nodes.counts(this.address), least, Date.now());
      const sent = await this.#account.sign({ payment, nonce, gas, fees }, price.block, Date.now());
      // Before it is sent: if no answer comes, a node may have accepted it.
      unmined.add(sent);
      const result = await this.#account.send(sent, price.block, Date.now());
      if (result === "taken" || result === "known") return sent;
      if (result !== "unknown") unmined.drop(sent);
      const isOthers = result === "used" || result === "occupied";
      if (!isOthers || tries === MOST_NONCES) throw new NotTaken(result);
      least = nonce + 1;
    }
  }

  /** Unchanged, so that the time for which it has waited stays the same. */
  async #resend(sent: SentTransaction): Promise<SentTransaction> {
    const result = await this.#account.nodes.broadcast(sent.raw);
    if (result === "poor" || result === "unknown") throw new NotTaken(result);
    if (result === "taken" || result === "known") sent.takenAt ??= Date.now();
    return sent;
  }
}

/** No node has accepted a transaction, or none has said so. The next upkeep decides what to do about it. */
export class NotTaken extends Error {
  override readonly name = "NotTaken";
  readonly result: SendResult;

  constructor(result: SendResult) {
    super(`the nodes did not take it: ${result}`);
    this.result = result;
  }
}
