import Database from "better-sqlite3";
import { DatabaseUnavailable, unavailableIn } from "../../src/platform/errors/database-unavailable.ts";

/** Result codes of a file that cannot be used now (sqlite.org/rescode.html), with our messages. */
const UNAVAILABLE: readonly (readonly [prefix: string, message: string])[] = [
  ["SQLITE_FULL", "The disk that the SQLite database is on is full."],
  ["SQLITE_BUSY", "Another program has locked the SQLite database for too long."],
  ["SQLITE_IOERR", "The file of the SQLite database cannot be read or written."],
  ["SQLITE_CANTOPEN", "The file of the SQLite database cannot be opened."],
];

/** The code of SQLite's error, or of one among the causes; undefined if there is none. */
export function sqliteCodeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof Database.SqliteError) return error.code;
  }
  return undefined;
}

/** The DatabaseUnavailable to throw instead, if the error means that the database is unavailable; else null. */
export function asUnavailable(thrown: unknown): DatabaseUnavailable | null {
  const known = unavailableIn(thrown);
  if (known) return known;
  const code = sqliteCodeOf(thrown);
  const [, message] = UNAVAILABLE.find(([prefix]) => code?.startsWith(prefix)) ?? [];
  return message === undefined ? null : new DatabaseUnavailable(message, thrown);
}

/**
 * The same for an error of COMMIT. A commit that was written and whose sync failed may be recovered after a crash; one that did
 * not fit on the disk is not.
 */
export function asUnavailableCommit(thrown: unknown): DatabaseUnavailable | null {
  const away = asUnavailable(thrown);
  return away && new DatabaseUnavailable(away.message, thrown, sqliteCodeOf(thrown)!.startsWith("SQLITE_IOERR"));
}
