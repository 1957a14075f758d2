import { sql } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import { batchesOf, type Counter, type Increment, SharedCounters } from "../limits/shared-counters.ts";

/** An API key, or a connection of an app or agent, on one UTC day. */
interface KeyDay {
  readonly accountId: string;
  readonly keyId: string;
  /** Number of the day since 1970. */
  readonly day: number;
}

/** The transaction is one statement, which depends on no other rows. */
const ONE_STATEMENT = { isolation: "repeatable read", affectedAccounts: [] } as const;

/**
 * Calls of API keys, apps and agents by day, for their owners to see: counted in memory, and added to the rows once a minute, so that
 * several processes add up and a call costs no write. A crash loses at most the last minute; nothing is limited by it.
 */
export class KeyCalls {
  readonly #counts = new SharedCounters<KeyDay>();
  readonly #db: Engine;
  #writtenMinute = 0;

  constructor(db: Engine) {
    this.#db = db;
  }

  /** Counts one call. */
  count(accountId: string, keyId: string, now: number): void {
    this.counterOf(accountId, keyId, now).take();
  }

  /** The calls of a key on this day; the counter is kept until it is written. */
  counterOf(accountId: string, keyId: string, now: number): Counter<KeyDay> {
    const counted = { accountId, keyId, day: Math.floor(now / DAY) };
    return this.#counts.of(keyOf(counted), () => counted);
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
    for (const batch of batchesOf(this.#counts.unwritten()))
      await this.#counts.write(batch, (increments) => this.#add(increments));
    this.#counts.forget(() => true);
  }

  /** Adds counts in one statement. @returns the new totals */
  #add(increments: readonly Increment<KeyDay>[]): Promise<Map<string, number>> {
    const counts = increments.map(({ counted, count }) => ({ ...counted, calls: count }));
    return this.#db.tx(async (tx) => {
      const rows = await adding(tx).execute({ rows: JSON.stringify(counts) });
      return new Map(rows.map(({ calls, ...keyDay }) => [keyOf(keyDay), calls]));
    }, ONE_STATEMENT);
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

function keyOf({ keyId, day }: KeyDay): string {
  return `${keyId} ${day}`;
}
