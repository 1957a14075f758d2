import { SECOND } from "../../../../../platform/clock.ts";
import type { WalletAccount } from "./account.ts";
import { type Fees, grown, offerFor } from "./fees.ts";
import type { Counts } from "./nodes.ts";
import type { SendResult } from "./send-result.ts";
import { BLOCKS_WAITED, NoAnswer, type Situation } from "./situation.ts";

/** Another process may be about to use a nonce that is free; after so many ms it is not. */
const FILL_AFTER = 10 * SECOND;

/** A process whose transactions have not changed for so many ms has died, or can no longer send. */
const ADOPT_AFTER = 20 * SECOND;

/**
 * Most holes that are filled: a node that counts wrongly once would otherwise make us pay for any number. Transactions
 * behind more holes are given other nonces.
 */
const MOST_HOLES = 16;

/** Nonces of others that are used up in one round, and offers that are tried for one of them. */
const MOST_REPLACED = 32;
const MOST_OFFERS = 25;

/**
 * Uses up nonces below ours that this process knows nothing of, by empty transfers to ourselves: holes left by a node
 * that lost a transaction, and transactions that a dead process left in the pools.
 */
export class GapFiller {
  readonly #account: WalletAccount;
  #foreign: readonly number[] = [];
  /** The lowest nonce that is not mined, if it is not ours. */
  #stuck = { nonce: -1, since: 0, block: 0n };
  /** The lowest nonce that is free although later ones are used. */
  #hole = { nonce: -1, since: 0 };

  constructor(account: WalletAccount) {
    this.#account = account;
  }

  /** Transactions in the pools that this process has not sent. */
  get foreign(): number {
    return this.#foreign.filter((nonce) => !this.#account.unmined.isTracked(nonce)).length;
  }

  look({ mined, pending }: Counts): void {
    this.#foreign = this.#untracked(mined, pending);
  }

  async fillHoles({ pending, price, now }: Situation): Promise<void> {
    const last = this.#account.unmined.all().at(-1)?.nonce ?? 0;
    const holes = this.#untracked(pending, last);
    const [first = -1] = holes;
    if (this.#hole.nonce !== first) this.#hole = { nonce: first, since: now };
    if (now - this.#hole.since < FILL_AFTER) return;
    if (holes.length > MOST_HOLES) return this.#giveUpBehind(first);
    for (const nonce of holes) {
      // If there is a transaction with this nonce after all, it is left alone.
      const result = await this.#use(nonce, offerFor(price, this.#account.cap), { price, now });
      if (result === "taken") this.#account.counts.filled += 1;
    }
  }

  /** Its payments get nonces that can be mined. */
  #giveUpBehind(hole: number): void {
    const { unmined } = this.#account;
    for (const sent of unmined.all()) if (sent.nonce > hole) unmined.drop(sent);
  }

  /** @returns whether any was replaced */
  async replaceForeign({ mined, price, now }: Situation): Promise<boolean> {
    const [first = -1] = this.#foreign;
    if (this.#stuck.nonce !== first) this.#stuck = { nonce: first, since: now, block: price.block };
    const isStuck = now - this.#stuck.since >= ADOPT_AFTER && price.block - this.#stuck.block >= BLOCKS_WAITED;
    if (first !== mined || !isStuck) return false;
    let replaced = 0;
    for (const nonce of this.#foreign) replaced += (await this.#outbid(nonce, { price, now })) ? 1 : 0;
    this.#account.counts.replaced += replaced;
    return replaced > 0;
  }

  /**
   * Raises the offer step by step, since the offer of the other transaction is not known.
   * @throws GasTooDear
   */
  async #outbid(nonce: number, situation: Pick<Situation, "price" | "now">): Promise<boolean> {
    let fees = offerFor(situation.price, this.#account.cap);
    for (let offers = 0; offers < MOST_OFFERS; offers++) {
      const result = await this.#use(nonce, fees, situation);
      if (result !== "occupied" && result !== "cheap") return result === "taken";
      fees = grown(fees, this.#account.cap);
    }
    return false;
  }

  /** Sends an empty transfer with this nonce. @throws NoAnswer */
  async #use(nonce: number, fees: Fees, { price, now }: Pick<Situation, "price" | "now">): Promise<SendResult> {
    const gas = await this.#account.gasForNothing();
    const sent = await this.#account.sign({ payment: null, nonce, gas, fees }, price.block, now);
    const result = await this.#account.send(sent, price.block, now);
    if (result === "unknown") throw new NoAnswer();
    if (result === "taken" || result === "known") this.#account.unmined.add(sent);
    return result;
  }

  /** Nonces in this range that are not ours. */
  #untracked(from: number, to: number): readonly number[] {
    const count = Math.max(0, Math.min(to - from, MOST_REPLACED));
    return Array.from({ length: count }, (_, i) => from + i).filter((nonce) => !this.#account.unmined.isTracked(nonce));
  }
}
