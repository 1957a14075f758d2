import { unavailableIn } from "../../platform/errors/database-unavailable.ts";

/** How counts become rows of a table. */
export interface CountedRows<Counted> {
  /** The row to which a count is added. */
  rowOf(counted: Counted, count: number): object;
  /** Adds rows in one statement. @param rows JSON, for `Reader.rowsOf` @returns the new totals by key */
  add(rows: string): Promise<ReadonlyMap<string, number>>;
}

/** The count of one key. */
export class Counter<Counted> {
  readonly key: string;
  readonly counted: Counted;
  /** The total in the database, as read last. */
  stored: number;
  /** Counted here, and not in the database yet. */
  unwritten = 0;
  /** Whether the next flush finds it. */
  isListed = false;
  /** The counter that was listed before it. */
  next: Counter<Counted> | null = null;
  readonly #list: (counter: Counter<Counted>) => void;

  /** @param list called when there is something to write */
  constructor(key: string, counted: Counted, stored: number, list: (counter: Counter<Counted>) => void) {
    this.key = key;
    this.counted = counted;
    this.stored = stored;
    this.#list = list;
  }

  /** As far as this process knows. */
  get total(): number {
    return this.stored + this.unwritten;
  }

  /** Counts one. @returns the total */
  take(): number {
    this.unwritten += 1;
    if (!this.isListed) this.#list(this);
    return this.total;
  }
}

/** Most rows of one statement, so that it does not take long. */
const BATCH = 1_000;

/**
 * Counters that several processes share, each a row of the database: counted in memory, added to the row from time to time,
 * and corrected by its total.
 */
export class SharedCounters<Counted> {
  readonly #counters = new Map<string, Counter<Counted>>();
  /**
   * The counter that was listed last, which leads to all others with unwritten counts. An array would become garbage every
   * second.
   */
  #listed: Counter<Counted> | null = null;
  readonly #list = (counter: Counter<Counted>) => {
    counter.isListed = true;
    counter.next = this.#listed;
    this.#listed = counter;
  };

  /** The counter of a key. @param counted called for a new key only @param stored what a new one begins with */
  of(key: string, counted: () => Counted, stored = 0): Counter<Counted> {
    const known = this.#counters.get(key);
    if (known) return known;
    const counter = new Counter(key, counted(), stored, this.#list);
    this.#counters.set(key, counter);
    return counter;
  }

  find(key: string): Counter<Counted> | undefined {
    return this.#counters.get(key);
  }

  get size(): number {
    return this.#counters.size;
  }

  /**
   * Writes all counts, some at a time; calls must not overlap. After a failure they stay unwritten. Counts that may have been
   * written are dropped rather than counted twice.
   */
  async flush(to: CountedRows<Counted>): Promise<void> {
    const counters = this.#takeListed();
    // In the order of their keys, so that processes lock rows in the same order and do not deadlock.
    counters.sort((one, other) => (one.key < other.key ? -1 : 1));
    try {
      for (let from = 0; from < counters.length; from += BATCH)
        await this.#write(counters.slice(from, from + BATCH), to);
    } finally {
      for (const counter of counters) {
        counter.isListed = false;
        if (counter.unwritten > 0) this.#list(counter);
      }
    }
  }

  /** Takes the listed counters, which stay marked until they are written or listed again. */
  #takeListed(): Counter<Counted>[] {
    const counters: Counter<Counted>[] = [];
    while (this.#listed) {
      const counter = this.#listed;
      counters.push(counter);
      this.#listed = counter.next;
      counter.next = null;
    }
    return counters;
  }

  async #write(counters: readonly Counter<Counted>[], { rowOf, add }: CountedRows<Counted>): Promise<void> {
    const amounts = counters.map(({ unwritten }) => unwritten);
    const count = (totals?: ReadonlyMap<string, number>) =>
      counters.forEach((counter, at) => {
        const amount = amounts[at]!;
        counter.stored = totals?.get(counter.key) ?? counter.stored + amount;
        counter.unwritten -= amount;
      });
    try {
      // As one text: objects that wait for a commit would grow old in V8's heap, and stay in memory long after it.
      count(await add(JSON.stringify(counters.map(({ counted, unwritten }) => rowOf(counted, unwritten)))));
    } catch (thrown) {
      if (unavailableIn(thrown)?.mayHaveHappened) count();
      throw thrown;
    }
  }

  /** Forgets the counters that `isOver` selects and that are written. */
  forget(isOver: (counted: Counted) => boolean): void {
    for (const [key, counter] of this.#counters)
      if (counter.unwritten === 0 && isOver(counter.counted)) this.#counters.delete(key);
  }
}
