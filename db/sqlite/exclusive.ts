import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";

/** Codes of SQLite for a file that is damaged, or is not a database. */
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** Codes of SQLite and the system for a file that cannot be opened. */
const UNUSABLE = /^(?:SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)|EISDIR|ENOTDIR|EEXIST|EACCES|EPERM|EROFS)/;

/**
 * Opens a file exclusively, in a write transaction: while it is open, no other program can read or write it. In write-ahead
 * mode every process that has the database open holds a shared lock, even when idle. So a running service is detected by its
 * lock, and one that starts later waits for ours (sqlite.org/pragma.html, `locking_mode`).
 * @param prepare runs before the transaction begins
 * @throws Error when the file is missing, in use or no database
 */
export function openExclusive(path: string, prepare?: (db: Database.Database) => void): Database.Database {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}.`);
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { timeout: 500 });
    db.pragma("locking_mode = EXCLUSIVE");
    db.exec("BEGIN EXCLUSIVE");
    if (prepare) {
      // The lock stays between transactions in this mode.
      db.exec("COMMIT");
      prepare(db);
      db.exec("BEGIN EXCLUSIVE");
    }
    return db;
  } catch (thrown) {
    db?.close();
    if (isBusy(thrown)) {
      throw new Error(`Another program has ${path} open. Stop the service, and other programs that use it, first.`, {
        cause: thrown,
      });
    }
    throw explainFileError(thrown, path);
  }
}

export function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(thrown.code);
}

export function isDamaged(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof Database.SqliteError && DAMAGED.test(error.code)) return true;
  }
  return false;
}

/** The error to throw instead, if the file is the cause. */
export function explainFileError(thrown: unknown, path: string): unknown {
  if (isDamaged(thrown)) return new Error(`${path} is damaged, or no SQLite database.`, { cause: thrown });
  const { code = "" } = (thrown ?? {}) as { code?: string };
  if (!UNUSABLE.test(code)) return thrown;
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const why = isFolder
    ? "is a folder, not a file."
    : `cannot be opened. Check its path, and whether this user may read and write there.${ownedBy(path)}`;
  return new Error(`${path} ${why}`, { cause: thrown });
}

/** A sentence about the file, or its folder, if another user owns it. */
function ownedBy(path: string): string {
  const there = [path, dirname(path)].find((one) => existsSync(one));
  if (there === undefined || !process.getuid) return "";
  const [owner, self] = [statSync(there).uid, process.getuid()];
  return owner === self ? "" : ` ${there} belongs to the user with id ${owner}, and this program runs as ${self}.`;
}
