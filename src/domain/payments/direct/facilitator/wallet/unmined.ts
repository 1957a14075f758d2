import type { Hex } from "viem";
import { MINUTE } from "../../../../../platform/clock.ts";
import type { Fees } from "./fees.ts";
import type { Counts } from "./nodes.ts";

export interface Transaction {
  readonly to: Hex;
  readonly data: Hex;
}

/** A transaction that was sent, as it was sent last. */
export interface SentTransaction {
  /** Null: an empty transfer to ourselves, which does nothing but use its nonce. */
  payment: Transaction | null;
  readonly nonce: number;
  gas: bigint;
  fees: Fees;
  /** Signed. */
  raw: Hex;
  /** Of all that was sent with this nonce: any of them may be mined. */
  readonly hashes: Hex[];
  /** When its nonce was taken, in ms. */
  readonly since: number;
  /** When a node said last that it has it; null where none has. */
  takenAt: number | null;
  /** Height of the chain when it was sent last. */
  block: bigint;
}

/** How long a node that lags may say that fewer are mined than we know of. */
const LAG_MS = MINUTE;

/** What an account has sent and has not seen mined, and so which nonces are free. */
export class Unmined {
  readonly #byNonce = new Map<number, SentTransaction>();
  #mined = { count: 0, until: 0 };

  get size(): number {
    return this.#byNonce.size;
  }

  /** By nonce. */
  all(): SentTransaction[] {
    return [...this.#byNonce.values()].sort((one, other) => one.nonce - other.nonce);
  }

  /** Whether this very transaction, or one that has replaced it, still waits to be mined. */
  has(sent: SentTransaction): boolean {
    return this.#byNonce.get(sent.nonce) === sent;
  }

  isTracked(nonce: number): boolean {
    return this.#byNonce.has(nonce);
  }

  /** The transaction that carries a payment to the chain. */
  carrying({ to, data }: Transaction): SentTransaction | undefined {
    return this.all().find(({ payment }) => payment?.to === to && payment.data === data);
  }

  add(sent: SentTransaction): void {
    this.#byNonce.set(sent.nonce, sent);
  }

  /** Its nonce is free again, or another's. */
  drop({ nonce }: SentTransaction): void {
    this.#byNonce.delete(nonce);
  }

  /** Forgets what is mined, and remembers that it was. */
  forgetBelow(mined: number, now: number): void {
    for (const nonce of this.#byNonce.keys()) if (nonce < mined) this.#byNonce.delete(nonce);
    if (mined > this.#minedAt(now)) this.#mined = { count: mined, until: now + LAG_MS };
  }

  /**
   * The lowest nonce from `least` on that is neither mined, nor in the pool of a node, nor one of these. None is ever left
   * out: everything behind it would wait.
   */
  nextNonce({ pending }: Counts, least: number, now: number): number {
    let nonce = Math.max(pending, least, this.#minedAt(now));
    while (this.#byNonce.has(nonce)) nonce += 1;
    return nonce;
  }

  #minedAt(now: number): number {
    return now < this.#mined.until ? this.#mined.count : 0;
  }
}
