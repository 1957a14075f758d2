import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { refuseForeign, type SchemaAge, type SchemaState } from "../known-migrations.ts";
import { movedMessage } from "../moving/moved-to.ts";
import {
  copyDatabase,
  explainDiskError,
  flushDirectory,
  openReadOnly,
  partialPath,
  type ReadOnlyDatabase,
} from "./copy.ts";
import { readMovedTo } from "./read-moved-to.ts";
import { missingDatabase, stateOf } from "./schema-state.ts";

export interface Backup {
  readonly bytes: number;
  readonly schema: SchemaAge;
}

/**
 * Copies a database, which may be in use, to a new file. SQLite checks the copy, and so does `prove` if the schema is this
 * program's newest.
 * @throws Error; no file is left then
 */
export async function backupSqlite(
  path: string,
  to: string,
  prove: (copy: ReadOnlyDatabase) => Promise<void>,
): Promise<Backup> {
  if (!existsSync(path)) throw missingDatabase(path);
  if (existsSync(to)) throw new Error(`${to} is there already. Name a file that is not.`);
  const part = partialPath(to);
  copyDatabase(path, part, { touch: true });
  try {
    const { schema, moved } = readCopy(part);
    refuseForeign(schema, path);
    // New data is in the other database, so that a backup of this one would be worthless.
    if (moved !== null) throw new Error(movedMessage(path, moved));
    if (schema.age === "newest") await withReadOnly(part, prove);
    publish(part, to);
    return { bytes: statSync(to).size, schema: schema.age };
  } catch (thrown) {
    throw explainDiskError(thrown, to);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Schema of a file that is not in use, and where the database was moved to; null if it was not moved. */
export function readCopy(path: string): { readonly schema: SchemaState; readonly moved: string | null } {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const schema = stateOf(db);
    return { schema, moved: schema.age === "foreign" ? null : readMovedTo(db) };
  } finally {
    db.close();
  }
}

export async function withReadOnly(path: string, work: (copy: ReadOnlyDatabase) => Promise<void>): Promise<void> {
  const copy = openReadOnly(path);
  try {
    await work(copy);
  } finally {
    await copy.close();
  }
}

/** Gives the finished file its name. A hard link never replaces a file, unlike a rename; not all file systems have it. */
function publish(part: string, to: string): void {
  try {
    linkSync(part, to);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Error(`${to} is there already. Name a file that is not.`, { cause: thrown });
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw thrown;
    renameSync(part, to);
  }
  flushDirectory(to);
}
