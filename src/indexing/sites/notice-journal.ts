import type { Clock } from "../../platform/clock.ts";
import type { Journal, JournalledCall, SendOutcome } from "../engines/engine.ts";
import { type ProviderBook, tallyOfSends, txOptions } from "../providers/book.ts";
import type { UpstreamFailure } from "../providers/failure.ts";
import type { Quota } from "../providers/quota.ts";

/**
 * The calls of one notification. They count against the quotas of providers, like the calls of projects, and are not
 * stored. A caller repeats a notification that was lost in a crash, which does no harm.
 */
export class NoticeJournal implements Journal {
  readonly #book: ProviderBook;
  readonly #clock: Clock;
  readonly #beginUntil: number;
  #calls = 0;

  /** @param beginUntil real time after which no call is begun */
  constructor(book: ProviderBook, clock: Clock, beginUntil: number) {
    this.#book = book;
    this.#clock = clock;
    this.#beginUntil = beginUntil;
  }

  async earlier(): Promise<[]> {
    return [];
  }

  async begin({ provider, quota, indices }: { provider: string; quota: Quota; indices: readonly number[] }) {
    if (this.#clock.now() >= this.#beginUntil) return { until: this.#clock.service(), reason: null };
    const taken = await this.#book.db.tx((tx) => this.#book.take(tx, quota, indices.length), txOptions(quota));
    if ("until" in taken) return taken;
    const id = ++this.#calls;
    const granted = indices.slice(0, taken.granted);
    return { id, provider, reference: "", indices: granted, begunAt: this.#clock.service(), quota, outcomes: null };
  }

  async failed({ quota }: JournalledCall, failure: UpstreamFailure): Promise<void> {
    await this.#book.db.tx((tx) => this.#book.note(tx, quota!, {}, failure), txOptions(quota!));
  }

  async end({ quota }: JournalledCall, outcomes: readonly SendOutcome[], failure?: UpstreamFailure): Promise<void> {
    await this.#book.db.tx((tx) => this.#book.note(tx, quota!, tallyOfSends(outcomes), failure), txOptions(quota!));
  }
}
