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
}

/** The transaction is one statement, which depends on no other rows. */
const ONE_STATEMENT = { isolation: "repeatable read" } as const;

/**
 * Calls of API keys, apps and agents by day, for their owners to see: counted in memory, and added to the rows once a minute, so that
 * several processes add up and a call costs no write. A crash loses at most the last minute; nothing is limited by it.
 */
export class KeyCalls {
  readonly #counts = new SharedCounters<KeyDay>();
  readonly #rows: CountedRows<KeyDay>;
  #writtenMinute = 0;

  constructor(db: Engine) {
    this.#rows = {
      rowOf: ({ accountId, keyId, day }, count) => ({ accountId, keyId, day, calls: count }),
      add: (rows) =>
        db.tx(async (tx) => {
          const totals = await adding(tx).execute({ rows });
          return new Map(totals.map(({ keyId, day, calls }) => [keyOf(keyId, day), calls]));
        }, ONE_STATEMENT),
    };
  }

  /** Counts one call. */
  count(accountId: string, keyId: string, now: number): void {
    const day = Math.floor(now / DAY);
    this.#counts.of(keyOf(keyId, day), () => ({ accountId, keyId, day })).take();
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
    // Forgets the counts of yesterday, and of keys without a call since the last flush.
    this.#counts.forget(() => true);
    await this.#counts.flush(this.#rows);
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

function keyOf(keyId: string, day: number): string {
  return `${keyId} ${day}`;
}
