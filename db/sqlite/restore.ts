import { constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { isFilledByUse, movedTables } from "../moving/tables.ts";
import { stateOf, withReadOnly } from "./backup.ts";
import {
  copyDatabase,
  discard,
  explainDiskError,
  flush,
  flushDirectory,
  JOURNALS,
  partialPath,
  type ReadOnlyDatabase,
} from "./copy.ts";
import { isDamaged, openExclusive } from "./exclusive.ts";
import { ageOf, migrateOver } from "./migrate.ts";
import { readMovedTo } from "./read-moved-to.ts";

interface Restoring {
  readonly from: string;
  readonly path: string;
  /** Whether a database that has rows, or is damaged, may be put aside. */
  readonly force: boolean;
  /** Looks at what is about to be put in place. @throws Error to have nothing happen */
  prove(copy: ReadOnlyDatabase): Promise<void>;
}

/**
 * Puts a backup in the place of a database that nobody has open, in one renaming: whoever starts finds the one or the
 * other, whole. What was there is kept beside it.
 * @returns path of what was there; null: there was nothing
 * @throws Error; everything is then as it was
 */
export async function restoreSqlite({ from, path, force, prove }: Restoring): Promise<string | null> {
  if (!existsSync(from)) throw new Error(`There is no file ${from}.`);
  if (!statSync(from).isFile()) throw new Error(`${from} is no file.`);
  mkdirSync(dirname(path), { recursive: true });
  const held = existsSync(path) ? hold(path, force) : null;
  const part = partialPath(path);
  let kept: string | null = null;
  try {
    copyDatabase(from, part);
    bringUp(part, from);
    await withReadOnly(part, prove);
    flush(part);
    if (held !== null) kept = keep(path);
    // A log that is left over would be played into the new file.
    for (const end of JOURNALS) rmSync(`${path}${end}`, { force: true });
    renameSync(part, path);
    flushDirectory(path);
    return kept;
  } catch (thrown) {
    // What is whole is still in its place.
    if (kept !== null && held !== "damaged") discard(kept);
    throw explainDiskError(thrown, path);
  } finally {
    discard(part);
    if (held !== null && held !== "damaged") held.close();
  }
}

/** To the newest schema, in the copy: the backup stays as it is. */
function bringUp(part: string, from: string): void {
  const { schema, moved } = stateOf(part);
  if (schema === "foreign") throw new Error(`${from} is no database of Beckon.`);
  if (schema === "newer") throw new Error(`${from} was made by a newer version of Beckon. Restore it with that one.`);
  if (moved !== null)
    throw new Error(
      `${from} is of after the move to ${moved}, so that no service would start on it. Restore one of before.`,
    );
  if (schema === "newest") return;
  const db = new Database(part);
  try {
    migrateOver(db);
  } finally {
    db.close();
  }
}

/** Keeps everybody else away from what is there, all of it in its one file. */
function hold(path: string, force: boolean): Database.Database | "damaged" {
  try {
    return openExclusive(path, (db) => {
      refuseMoved(db, path);
      const full = db.pragma("quick_check(1)", { simple: true }) !== "ok" || hasRows(db);
      if (full && !force) {
        throw new Error(
          `The database at ${path} is not empty. With --force it is put aside, under a name with the time.`,
        );
      }
      // Moves what its log still holds into it; no other name is its own then.
      db.pragma("journal_mode = DELETE");
    });
  } catch (thrown) {
    if (!isDamaged(thrown)) throw thrown;
    if (!force)
      throw new Error(`${(thrown as Error).message} With --force it is put aside, under a name with the time.`);
    return "damaged";
  }
}

/** What has been done since the move is in the other database, which a service on this file would know nothing of. */
function refuseMoved(db: Database.Database, path: string): void {
  const moved = ageOf(db) === "foreign" ? null : readMovedTo(db);
  if (moved === null) return;
  throw new Error(
    `${path} was moved to ${moved}, where the service has gone on since. To give that up and restore here all the same, put this file away yourself first.`,
  );
}

function hasRows(db: Database.Database): boolean {
  if (ageOf(db) === "foreign") return db.prepare("SELECT 1 FROM sqlite_master").get() !== undefined;
  const there = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  return movedTables()
    .filter((table) => there.includes(table.name) && isFilledByUse(table))
    .some(({ name }) => db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
}

/** A second name for what is there, so that there is no moment without a database. */
function keep(path: string): string {
  const kept = `${path}.${new Date().toISOString().replaceAll(":", "-")}`;
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
