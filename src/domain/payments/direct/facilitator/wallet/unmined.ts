import type { Hex } from "viem";
import { MINUTE } from "../../../../../platform/clock.ts";
import type { Fees } from "./fees.ts";
import type { Counts } from "./nodes.ts";

export interface Transaction {
  readonly to: Hex;
  readonly data: Hex;
}

/** A transaction in its last form. */
export interface SentTransaction {
  /** Null for an empty transfer to ourselves, which only uses its nonce. */
  payment: Transaction | null;
  readonly nonce: number;
  gas: bigint;
  fees: Fees;
  /** Signed. */
  raw: Hex;
  /** Of all transactions that were sent with this nonce: any of them may be mined. */
  readonly hashes: Hex[];
  /** When its nonce was assigned, in ms. */
  readonly since: number;
  /** When a node last said that it has it; null if none has. */
  takenAt: number | null;
  /** Height of the chain when it was last sent. */
  block: bigint;
}

/** How long a lagging node may report fewer mined transactions than we know of. */
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

  /** Whether this transaction, or one that has replaced it, is still to be mined. */
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

  /** Its nonce is free again, or used by another transaction. */
  drop({ nonce }: SentTransaction): void {
    this.#byNonce.delete(nonce);
  }

  /** Drops mined transactions, and remembers how many were mined. */
  forgetBelow(mined: number, now: number): void {
    for (const nonce of this.#byNonce.keys()) if (nonce < mined) this.#byNonce.delete(nonce);
    if (mined > this.#minedAt(now)) this.#mined = { count: mined, until: now + LAG_MS };
  }

  /**
   * The lowest nonce from `least` on that is neither mined, nor in the pool of a node, nor one of these. None is
   * skipped, since everything behind it would wait.
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
