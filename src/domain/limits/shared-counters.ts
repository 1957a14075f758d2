import { unavailableIn } from "../../platform/errors/database-unavailable.ts";

/** A count to be added to a row of the database. */
export interface Increment<Counted> {
  /** Whom the row is for. */
  readonly counted: Counted;
  readonly count: number;
}

/** The count of one key. Who counts by it often may hold it, which spares looking for it, while it `isKept`. */
export class Counter<Counted> {
  readonly counted: Counted;
  /** The total in the database, as read last. */
  stored: number;
  /** Counted here, and not in the database yet. */
  unwritten = 0;
  /** False: it was forgotten, and counts nothing any more. */
  isKept = true;
  readonly #markUnwritten: () => void;

  /** @param markUnwritten called when there is something to write */
  constructor(counted: Counted, stored: number, markUnwritten: () => void) {
    this.counted = counted;
    this.stored = stored;
    this.#markUnwritten = markUnwritten;
  }

  /** As far as this process knows. */
  get total(): number {
    return this.stored + this.unwritten;
  }

  /** Counts one. @returns the total */
  take(): number {
    if (this.unwritten === 0) this.#markUnwritten();
    this.unwritten += 1;
    return this.total;
  }
}

/** Most rows of one statement: takes a few ms, with fewer parameters than either database allows. */
const BATCH = 1_000;

/**
 * Counters that several processes share, each a row of the database: counted in memory, added to the row from time to time,
 * and corrected by its total.
 */
export class SharedCounters<Counted> {
  readonly #counters = new Map<string, Counter<Counted>>();
  /** Keys of those that have unwritten counts: few of all, most of the time. */
  readonly #unwritten = new Set<string>();

  /** The counter of a key. @param counted called for a new key only @param stored what a new one begins with */
  of(key: string, counted: () => Counted, stored = 0): Counter<Counted> {
    const known = this.#counters.get(key);
    if (known) return known;
    const counter = new Counter(counted(), stored, () => this.#unwritten.add(key));
    this.#counters.set(key, counter);
    return counter;
  }

  find(key: string): Counter<Counted> | undefined {
    return this.#counters.get(key);
  }

  get size(): number {
    return this.#counters.size;
  }

  /** The keys with unwritten counts, sorted, so that processes lock rows in the same order and do not deadlock. */
  unwritten(): string[] {
    return [...this.#unwritten].sort();
  }

  /**
   * Writes the counts of `keys` with `add`, which returns the new totals by key. After a failure they stay unwritten; if
   * it is unknown whether they were written, they are dropped rather than counted twice.
   */
  async write(
    keys: readonly string[],
    add: (increments: Increment<Counted>[]) => Promise<ReadonlyMap<string, number>>,
  ): Promise<void> {
    const taken = keys.flatMap((key) => {
      const counter = this.#counters.get(key);
      return counter ? [{ key, counter, amount: counter.unwritten }] : [];
    });
    try {
      const totals = await add(taken.map(({ counter: { counted }, amount }) => ({ counted, count: amount })));
      for (const { key, counter, amount } of taken) {
        counter.stored = totals.get(key) ?? counter.stored + amount;
        this.#written(key, counter, amount);
      }
    } catch (thrown) {
      if (unavailableIn(thrown)?.mayHaveHappened) {
        for (const { key, counter, amount } of taken) {
          counter.stored += amount;
          this.#written(key, counter, amount);
        }
      }
      throw thrown;
    }
  }

  #written(key: string, counter: Counter<Counted>, amount: number): void {
    counter.unwritten -= amount;
    if (counter.unwritten === 0) this.#unwritten.delete(key);
  }

  /** Forgets the counters that `isOver` selects and that are written. */
  forget(isOver: (counted: Counted) => boolean): void {
    for (const [key, counter] of this.#counters) {
      if (counter.unwritten > 0 || !isOver(counter.counted)) continue;
      counter.isKept = false;
      this.#counters.delete(key);
    }
  }

  /** Nobody counts by these counters from now on. */
  end(): void {
    for (const counter of this.#counters.values()) counter.isKept = false;
  }
}

/** A list in batches that fit into one statement. */
export function batchesOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(i * BATCH, (i + 1) * BATCH));
}
