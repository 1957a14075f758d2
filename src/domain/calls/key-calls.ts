import { sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import { type CountedRows, SharedCounters } from "../limits/shared-counters.ts";

/** An API key, or a connection of an app or agent, on one UTC day. */
interface KeyDay {
  readonly accountId: string;
  readonly keyId: string;
  /** Number of the day since 1970. */
  readonly day: number;
  /** The minute of its latest call, since 1970. */
  minute: number;
}

/** The transaction is one statement, which depends on no other rows. */
const ONE_STATEMENT = { isolation: "repeatable read" } as const;

/**
 * Calls of API keys, apps and agents by day, for their owners to see: counted in memory, and added to the rows once a minute, so that
 * several processes add up and a call costs no write. A crash loses at most the last minute; nothing is limited by it.
 */
export class KeyCalls {
  /** By day, and there by key. */
  readonly #days = new Map<number, SharedCounters<KeyDay>>();
  readonly #rows: CountedRows<KeyDay>;
  #writtenMinute = 0;

  constructor(db: Engine) {
    this.#rows = {
      rowOf: ({ accountId, keyId, day }, count) => ({ accountId, keyId, day, calls: count }),
      add: (rows) =>
        db.tx(async (tx) => {
          const totals = await adding(tx).execute({ rows });
          return new Map(totals.map(({ keyId, calls }) => [keyId, calls]));
        }, ONE_STATEMENT),
    };
  }

  /** Counts one call. @returns whether it is the key's first in this minute */
  count(accountId: string, keyId: string, now: number): boolean {
    const [day, minute] = [Math.floor(now / DAY), Math.floor(now / MINUTE)];
    const counts = this.#days.get(day) ?? this.#begin(day);
    const counter = counts.of(keyId, () => ({ accountId, keyId, day, minute: 0 }));
    counter.take();
    const isFirst = counter.counted.minute !== minute;
    counter.counted.minute = minute;
    return isFirst;
  }

  #begin(day: number): SharedCounters<KeyDay> {
    const counts = new SharedCounters<KeyDay>();
    this.#days.set(day, counts);
    return counts;
  }

  /** Writes what was counted, if nothing was written in this minute yet. @throws DatabaseUnavailable; the next call writes it */
  async flushEachMinute(now: number): Promise<void> {
    const minute = Math.floor(now / MINUTE);
    if (minute === this.#writtenMinute) return;
    await this.flush();
    this.#writtenMinute = minute;
  }

  /** Writes all that was counted; calls must not overlap. @throws DatabaseUnavailable; the next call writes it */
  async flush(): Promise<void> {
    for (const [day, counts] of this.#days) {
      // Forgets keys without a call since the last flush, and days without such keys.
      counts.forget(() => true);
      if (counts.size === 0) this.#days.delete(day);
      await counts.flush(this.#rows);
    }
  }
}

const adding = (tx: Tx) =>
  tx.prepared("add_to_key_usage", ({ q, t: { keyUsage } }) =>
    q
      .insert(keyUsage)
      .select(tx.rowsOf(keyUsage))
      .onConflictDoUpdate({
        target: [keyUsage.keyId, keyUsage.day],
        set: { calls: sql`${keyUsage.calls} + excluded.calls` },
      })
      .returning(),
  );
