import { unavailableIn } from "../../platform/errors/database-unavailable.ts";

/** What was counted here of somebody, to be added to what the database knows. */
export interface Increment<Who> {
  readonly who: Who;
  readonly count: number;
}

interface Count<Who> {
  readonly who: Who;
  /** What the database has said last. */
  known: number;
  /** Counted here, and not in the database yet. */
  fresh: number;
}

/** Most rows of one statement: a few ms, and less than the parameters that either database takes. */
const PIECE = 1_000;

/**
 * Counts that several processes add to one row each: counted in memory, written now and then, corrected by what the row
 * says then.
 */
export class SharedCounters<Who> {
  readonly #counts = new Map<string, Count<Who>>();

  /** Counts one. @param who asked the first time only @returns how many there are by now, as far as is known here */
  take(key: string, who: () => Who, known = 0): number {
    let count = this.#counts.get(key);
    if (!count) {
      count = { who: who(), known, fresh: 0 };
      this.#counts.set(key, count);
    }
    count.fresh += 1;
    return count.known + count.fresh;
  }

  of(key: string): number {
    const { known, fresh } = this.#counts.get(key) ?? { known: 0, fresh: 0 };
    return known + fresh;
  }

  has(key: string): boolean {
    return this.#counts.has(key);
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Keys of those counted since they were written last, in one order in every process: none waits for another. */
  fresh(): string[] {
    return [...this.#counts]
      .filter(([, { fresh }]) => fresh > 0)
      .map(([key]) => key)
      .sort();
  }

  /**
   * Writes what is fresh of `keys` by `add`, which answers the new totals by key. What fails stays fresh, but where
   * nobody knows whether it was written: then it is forgotten rather than counted twice.
   */
  async write(keys: readonly string[], add: (taken: Increment<Who>[]) => Promise<ReadonlyMap<string, number>>) {
    const taken = keys.flatMap((key) => {
      const count = this.#counts.get(key);
      return count ? [{ key, count, who: count.who, amount: count.fresh }] : [];
    });
    try {
      const totals = await add(taken.map(({ who, amount }) => ({ who, count: amount })));
      for (const { key, count, amount } of taken) {
        count.known = totals.get(key) ?? count.known + amount;
        count.fresh -= amount;
      }
    } catch (thrown) {
      if (unavailableIn(thrown)?.mayHaveHappened) {
        for (const { count, amount } of taken) {
          count.known += amount;
          count.fresh -= amount;
        }
      }
      throw thrown;
    }
  }

  /** Lets go of those that are written, and that `isOver` says. */
  forget(isOver: (who: Who) => boolean): void {
    for (const [key, { who, fresh }] of this.#counts) if (fresh === 0 && isOver(who)) this.#counts.delete(key);
  }
}

export function batchesOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / PIECE) }, (_, i) => all.slice(i * PIECE, (i + 1) * PIECE));
}
