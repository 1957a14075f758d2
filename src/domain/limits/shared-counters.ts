import { unavailableIn } from "../../platform/errors/database-unavailable.ts";

/** A count to be added to a row of the database. */
export interface Increment<Counted> {
  /** Whom the row is for. */
  readonly counted: Counted;
  readonly count: number;
}

interface Count<Counted> {
  readonly counted: Counted;
  /** The total in the database, as read last. */
  stored: number;
  /** Counted here, and not in the database yet. */
  unwritten: number;
}

/** Most rows of one statement: takes a few ms, with fewer parameters than either database allows. */
const BATCH = 1_000;

/**
 * Counters that several processes share, each a row of the database: counted in memory, added to the row from time to time,
 * and corrected by its total.
 */
export class SharedCounters<Counted> {
  readonly #counts = new Map<string, Count<Counted>>();
  /** Keys of those that have unwritten counts: few of all, most of the time. */
  readonly #unwritten = new Set<string>();

  /** Counts one. @param counted called for a new key only @returns the total, as far as this process knows */
  take(key: string, counted: () => Counted, stored = 0): number {
    let count = this.#counts.get(key);
    if (!count) {
      count = { counted: counted(), stored, unwritten: 0 };
      this.#counts.set(key, count);
    }
    return this.#countOne(key, count);
  }

  /** Counts one of a known key whose total is below `most`. @returns the total; otherwise null, and nothing is counted */
  takeBelow(key: string, most: number): number | null {
    const count = this.#counts.get(key);
    if (!count || count.stored + count.unwritten >= most) return null;
    return this.#countOne(key, count);
  }

  #countOne(key: string, count: Count<Counted>): number {
    if (count.unwritten === 0) this.#unwritten.add(key);
    count.unwritten += 1;
    return count.stored + count.unwritten;
  }

  of(key: string): number {
    const { stored, unwritten } = this.#counts.get(key) ?? { stored: 0, unwritten: 0 };
    return stored + unwritten;
  }

  has(key: string): boolean {
    return this.#counts.has(key);
  }

  get size(): number {
    return this.#counts.size;
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
      const count = this.#counts.get(key);
      return count ? [{ key, count, amount: count.unwritten }] : [];
    });
    try {
      const totals = await add(taken.map(({ count: { counted }, amount }) => ({ counted, count: amount })));
      for (const { key, count, amount } of taken) {
        count.stored = totals.get(key) ?? count.stored + amount;
        this.#written(key, count, amount);
      }
    } catch (thrown) {
      if (unavailableIn(thrown)?.mayHaveHappened) {
        for (const { key, count, amount } of taken) {
          count.stored += amount;
          this.#written(key, count, amount);
        }
      }
      throw thrown;
    }
  }

  #written(key: string, count: Count<Counted>, amount: number): void {
    count.unwritten -= amount;
    if (count.unwritten === 0) this.#unwritten.delete(key);
  }

  /** Removes counters that `isOver` selects and that are written. */
  forget(isOver: (counted: Counted) => boolean): void {
    for (const [key, { counted, unwritten }] of this.#counts)
      if (unwritten === 0 && isOver(counted)) this.#counts.delete(key);
  }
}

/** A list in batches that fit into one statement. */
export function batchesOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(i * BATCH, (i + 1) * BATCH));
}
