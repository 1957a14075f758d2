import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { refuseForeign } from "../known-migrations.ts";
import { isFilledByUse, movedTables } from "../moving/tables.ts";
import { readCopy, withReadOnly } from "./backup.ts";
import {
  copyDatabase,
  discard,
  explainDiskError,
  flush,
  flushDirectory,
  JOURNALS,
  partialPath,
  type ReadOnlyDatabase,
  timedPath,
} from "./copy.ts";
import { isDamaged, openExclusive } from "./exclusive.ts";
import { migrateOver } from "./migrate.ts";
import { readMovedTo } from "./read-moved-to.ts";
import { stateOf } from "./schema-state.ts";

interface Restoring {
  readonly from: string;
  readonly path: string;
  /** Whether a database that has rows, or is damaged, may be renamed to make room. */
  readonly force: boolean;
  /** Audits the backup before it is put in place. @throws Error to cancel the restore */
  prove(copy: ReadOnlyDatabase): Promise<void>;
}

/**
 * Replaces a database that is not in use by a backup, in one rename, so that a starting process finds one or the other
 * complete. The old database is kept under another name in the same folder.
 * @returns path of the old database; null if there was none
 * @throws Error; nothing is changed then
 */
export async function restoreSqlite({ from, path, force, prove }: Restoring): Promise<string | null> {
  if (!existsSync(from)) throw new Error(`There is no file ${from}.`);
  if (!statSync(from).isFile()) throw new Error(`${from} is no file.`);
  const removeMade = makeFolder(dirname(path));
  const locked = existsSync(path) ? lock(path, force) : null;
  const part = partialPath(path);
  let kept: string | null = null;
  try {
    copyDatabase(from, part);
    migrateCopy(part, from);
    await withReadOnly(part, prove);
    flush(part);
    if (locked !== null) kept = keep(path);
    // SQLite would replay a remaining log into the new file.
    for (const end of JOURNALS) rmSync(`${path}${end}`, { force: true });
    renameSync(part, path);
    flushDirectory(path);
    return kept;
  } catch (thrown) {
    // The old database is intact and still in its place.
    if (kept !== null && locked !== "damaged") discard(kept);
    throw explainDiskError(thrown, path);
  } finally {
    discard(part);
    if (locked !== null && locked !== "damaged") locked.close();
    removeMade();
  }
}

/** Makes a folder, with those above it. @returns removes the ones again that were made and are empty */
function makeFolder(folder: string): () => void {
  const first = mkdirSync(folder, { recursive: true });
  return () => {
    if (first === undefined) return;
    try {
      for (let made = folder; made.length >= first.length; made = dirname(made)) rmdirSync(made);
    } catch {
      // It is not empty: the database is there, or what another program has put there.
    }
  };
}

/** Migrates the copy to the newest schema; the backup stays unchanged. */
function migrateCopy(part: string, from: string): void {
  const { schema, moved } = readCopy(part);
  refuseForeign(schema, from);
  if (schema.age === "newer")
    throw new Error(`${from} was made by a newer version of Beckon. Restore it with that one.`);
  if (moved !== null)
    throw new Error(
      `${from} was made after the move to ${moved}, so no service would start on it. Restore an earlier backup.`,
    );
  if (schema.age === "newest") return;
  const db = new Database(part);
  try {
    migrateOver(db);
  } finally {
    db.close();
  }
}

/** Locks the old database, with all its data in one file. */
function lock(path: string, force: boolean): Database.Database | "damaged" {
  try {
    return openExclusive(path, (db) => {
      refuseMoved(db, path);
      const isInUse = db.pragma("quick_check(1)", { simple: true }) !== "ok" || hasRows(db);
      if (isInUse && !force) {
        throw new Error(
          `The database at ${path} is not empty. With --force it is put aside, under a name with the time.`,
        );
      }
      // Moves the log into the file, so that no other file belongs to it.
      db.pragma("journal_mode = DELETE");
    });
  } catch (thrown) {
    if (!isDamaged(thrown)) throw explainDiskError(thrown, path);
    if (!force)
      throw new Error(`${(thrown as Error).message} With --force it is put aside, under a name with the time.`);
    return "damaged";
  }
}

/** Refuses a moved database: a service on this file would not have the data written since the move. */
function refuseMoved(db: Database.Database, path: string): void {
  const moved = stateOf(db).age === "foreign" ? null : readMovedTo(db);
  if (moved === null) return;
  throw new Error(
    `${path} was moved to ${moved}, where the service has gone on since. To give that up and restore here all the same, put this file away yourself first.`,
  );
}

function hasRows(db: Database.Database): boolean {
  // Its tables may have other names, where it is not ours.
  if (["foreign", "unreleased"].includes(stateOf(db).age))
    return db.prepare("SELECT 1 FROM sqlite_master").get() !== undefined;
  const existing = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  return movedTables()
    .filter((table) => existing.includes(table.name) && isFilledByUse(table))
    .some(({ name }) => db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
}

/** Gives the old database a second name, so that there is a database at every moment. @returns that name */
function keep(path: string): string {
  const kept = timedPath(path);
  for (const end of ["", "-wal"]) {
    if (!existsSync(`${path}${end}`)) continue;
    try {
      linkSync(`${path}${end}`, `${kept}${end}`);
    } catch {
      copyFileSync(`${path}${end}`, `${kept}${end}`, constants.COPYFILE_EXCL);
      flush(`${kept}${end}`);
    }
  }
  flushDirectory(kept);
  return kept;
}
