import type Database from "better-sqlite3";
import { sqliteCodeOf } from "./error-codes.ts";

/** How long processes that open a file at the same time give each other, and how often they try, in ms. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 5;

/**
 * What SQLite answers at once, however long it may wait for locks, while another process switches the same file, or closes it
 * as the last one and deletes the log.
 */
const PASSING: readonly (string | undefined)[] = ["SQLITE_BUSY", "SQLITE_IOERR_DELETE_NOENT"];

/** Switches a file to a write-ahead log (sqlite.org/wal.html). */
export function useWriteAheadLog(db: Database.Database): void {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (thrown) {
      if (!PASSING.includes(sqliteCodeOf(thrown)) || performance.now() > until) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
