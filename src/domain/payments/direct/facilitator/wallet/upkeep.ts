import { SECOND } from "../../../../../platform/clock.ts";
import type { WalletAccount } from "./account.ts";
import { bumped, GasTooDear, isBelow } from "./fees.ts";
import { GapFiller } from "./gaps.ts";
import type { SendResult } from "./send-result.ts";
import { BLOCKS_WAITED, NoAnswer, type Situation } from "./situation.ts";
import type { SentTransaction } from "./unmined.ts";

/** A node may not show at once what it accepted; after so many ms the transaction is sent again. */
const RESEND_AFTER = 5 * SECOND;

/**
 * After so many ms the first transaction is replaced by one that offers more, even if it offers what blocks require.
 */
const REPLACE_AFTER = 15 * SECOND;

/**
 * Sends, replaces or uses up what an account has sent, until all of it is mined. Only one round runs at a time, and
 * none while the account sends.
 */
export class Upkeep {
  /** When a transaction was last replaced, in ms. */
  lastReplacedAt: number | null = null;
  readonly #account: WalletAccount;
  readonly #gaps: GapFiller;

  constructor(account: WalletAccount) {
    this.#account = account;
    this.#gaps = new GapFiller(account);
  }

  /** Transactions of the account in the pools that this process has not sent. */
  get foreign(): number {
    return this.#gaps.foreign;
  }

  /** @throws Error if no node answers; the next round continues */
  async round(now: number): Promise<void> {
    const { nodes, unmined, address } = this.#account;
    const counts = await nodes.counts(address);
    unmined.forgetBelow(counts.mined, now);
    this.#gaps.look(counts);
    if (unmined.size + this.foreign === 0) return;
    const situation = { ...counts, price: await this.#account.gasPrice(), now };
    for (const sent of unmined.all()) await this.#unlessTooDear(() => this.#helpOn(sent, situation));
    await this.#unlessTooDear(() => this.#gaps.fillHoles(situation));
    await this.#unlessTooDear(async () => {
      if (await this.#gaps.replaceForeign(situation)) this.lastReplacedAt = now;
    });
  }

  /** What would cost more than the cap waits for another round. */
  async #unlessTooDear(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof GasTooDear)) throw thrown;
      this.#account.isCapped = true;
    }
  }

  async #helpOn(sent: SentTransaction, situation: Situation): Promise<void> {
    const { mined, pending, price, now } = situation;
    const waited = now - (sent.takenAt ?? Number.NEGATIVE_INFINITY);
    const isMissing = sent.takenAt === null || (sent.nonce >= pending && waited >= RESEND_AFTER);
    const isStuck = sent.nonce === mined && waited >= REPLACE_AFTER && price.block - sent.block >= BLOCKS_WAITED;
    if (isBelow(sent.fees, price)) await this.#replace(sent, situation);
    else if (isMissing) await this.#resend(sent, situation);
    else if (isStuck) await this.#replace(sent, situation);
  }

  async #resend(sent: SentTransaction, situation: Situation): Promise<void> {
    const { unmined, counts } = this.#account;
    const isHopeless = sent.payment !== null && !(await this.#account.stillSucceeds(sent.payment));
    if (isHopeless && (await this.#tryEmpty(sent, situation))) return;
    const result = await this.#account.send(sent, situation.price.block, situation.now);
    if (result === "taken") counts.resent += 1;
    if (result === "unknown") throw new NoAnswer();
    if (result === "refused" && sent.payment) return this.#empty(sent, situation);
    if (result === "cheap" || (result === "occupied" && sent.hashes.length > 1)) return this.#replace(sent, situation);
    // Another process has used this nonce; the payment gets another one.
    if (result === "occupied") unmined.drop(sent);
  }

  /**
   * Offers more at the same nonce: for the payment, or for an empty transfer if the payment cannot succeed any more.
   */
  async #replace(sent: SentTransaction, situation: Situation): Promise<void> {
    if (sent.payment && !(await this.#account.stillSucceeds(sent.payment))) return this.#empty(sent, situation);
    const result = await this.#sendInPlace(sent, { payment: sent.payment, gas: sent.gas }, situation);
    // A node may refuse one payment forever, and everything behind it would wait.
    if (result === "refused" && sent.payment) await this.#empty(sent, situation);
  }

  /** Replaces a payment by an empty transfer, so that those behind it need not wait. */
  async #empty(sent: SentTransaction, situation: Situation): Promise<void> {
    await this.#sendInPlace(sent, { payment: null, gas: await this.#account.gasForNothing() }, situation);
  }

  /**
   * @returns false if it would have to offer more than the cap: then it is sent unchanged, since others wait behind it
   */
  async #tryEmpty(sent: SentTransaction, situation: Situation): Promise<boolean> {
    try {
      await this.#empty(sent, situation);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof GasTooDear)) throw thrown;
      return false;
    }
  }

  async #sendInPlace(
    sent: SentTransaction,
    what: Pick<SentTransaction, "payment" | "gas">,
    { price, now }: Situation,
  ): Promise<SendResult> {
    const { cap, counts } = this.#account;
    await this.#account.resign(sent, { ...what, fees: bumped(sent.fees, price, cap) });
    const result = await this.#account.send(sent, price.block, now);
    if (result === "unknown") throw new NoAnswer();
    if (result === "taken") {
      counts.replaced += 1;
      this.lastReplacedAt = now;
    }
    return result;
  }
}
