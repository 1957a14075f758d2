import Database from "better-sqlite3";
import { DatabaseUnavailable, unavailableIn } from "../../src/platform/errors/database-unavailable.ts";

/** Result codes that say that the file cannot be worked with now (sqlite.org/rescode.html), with our words for them. */
const AWAY: readonly (readonly [prefix: string, words: string])[] = [
  ["SQLITE_FULL", "The disk that the SQLite database is on is full."],
  ["SQLITE_BUSY", "Another program holds the SQLite database, and has not let go of it in time."],
  ["SQLITE_IOERR", "The file of the SQLite database cannot be read or written."],
  ["SQLITE_CANTOPEN", "The file of the SQLite database cannot be opened."],
];

/** The code in SQLite's error, however deep it is wrapped; undefined where the error is another one. */
export function sqliteCodeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof Database.SqliteError) return error.code;
  }
  return undefined;
}

/** @returns what to throw instead, where the database cannot be worked with now; null for every other error */
export function asUnavailable(thrown: unknown): DatabaseUnavailable | null {
  const known = unavailableIn(thrown);
  if (known) return known;
  const code = sqliteCodeOf(thrown);
  const [, words] = AWAY.find(([prefix]) => code?.startsWith(prefix)) ?? [];
  return words === undefined ? null : new DatabaseUnavailable(words, thrown);
}

/**
 * The same of a COMMIT. One whose bytes were written, and whose sync failed, may be found whole by the recovery after a
 * crash; one that did not fit on the disk is not.
 */
export function asUnavailableCommit(thrown: unknown): DatabaseUnavailable | null {
  const away = asUnavailable(thrown);
  return away && new DatabaseUnavailable(away.message, thrown, sqliteCodeOf(thrown)!.startsWith("SQLITE_IOERR"));
}
