import { chmodSync, closeSync, fsyncSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Engine } from "../engine.ts";
import { explainFileError } from "./exclusive.ts";
import { readerOver } from "./sqlite.ts";

/** A database that is opened read-only. */
export type ReadOnlyDatabase = Pick<Engine, "snapshot" | "close">;

/** Opens a file read-only. */
export function openReadOnly(path: string): ReadOnlyDatabase {
  const connection = new Database(path, { readonly: true, fileMustExist: true });
  const reader = readerOver(connection);
  return {
    snapshot: (work) => work(reader),
    close: async () => void connection.close(),
  };
}

/**
 * Writes a snapshot of a database to a new file that only its owner can read, and syncs it to the disk. Writers of other
 * processes go on meanwhile. The copy has no journals.
 * @param touch whether the source may be opened for writing, so that SQLite removes its journals afterwards
 * @throws Error when the source is damaged, or the disk is full; no file is left then
 */
export function copyDatabase(from: string, to: string, { touch = false } = {}): void {
  let source: Database.Database | undefined;
  try {
    source = new Database(from, { readonly: !touch, fileMustExist: true, timeout: 15_000 });
    copyOver(source, to);
  } catch (thrown) {
    throw explainFileError(thrown, from);
  } finally {
    source?.close();
  }
}

/** The same over an open connection, outside of a transaction. @returns bytes of the copy */
export function copyOver(source: Database.Database, to: string): number {
  try {
    // VACUUM INTO fills an empty file, and leaves its mode.
    closeSync(openSync(to, "wx", 0o600));
    chmodSync(to, 0o600);
    source.prepare("VACUUM INTO ?").run(to);
    flush(to);
    const damage = damageOf(to);
    if (damage !== null) throw new Error(`The copy of ${source.name} is damaged: ${damage}.`);
    return statSync(to).size;
  } catch (thrown) {
    discard(to);
    throw explainFileError(explainDiskError(thrown, to), source.name);
  }
}

/** The first problem that SQLite finds in a file; null if there is none. */
export function damageOf(path: string): string | null {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const found = db.pragma("quick_check(1)", { simple: true }) as string;
    return found === "ok" ? null : found;
  } finally {
    db.close();
  }
}

/** Name of an unfinished file, in the same folder as the final one, so that it can be renamed. */
export function partialPath(path: string): string {
  return `${path}.part-${process.pid}-${Date.now().toString(36)}`;
}

/** Name of a database that is kept, with the time. @param start the name before it */
export function timedPath(start: string): string {
  return `${start}.${new Date().toISOString().replaceAll(":", "-")}`;
}

/** Removes a database and its journals. */
export function discard(path: string): void {
  for (const end of ["", ...JOURNALS]) rmSync(`${path}${end}`, { force: true });
}

export const JOURNALS: readonly string[] = ["-wal", "-shm", "-journal"];

/** Syncs a file to the disk. */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs the folder of a file, and so its name, to the disk. */
export function flushDirectory(path: string): void {
  flush(dirname(path));
}

/** The error to throw instead, if the disk is full or a permission is missing. */
export function explainDiskError(thrown: unknown, path: string): unknown {
  const code = (thrown as { code?: string } | null)?.code ?? "";
  const folder = dirname(path);
  const say = (text: string) => new Error(text, { cause: thrown });
  if (code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT") {
    return say(`The disk of ${folder} is full. Make room there, then try again.`);
  }
  if (code === "SQLITE_IOERR_WRITE" || code === "EFBIG") {
    return say(`Writing in ${folder} failed: its disk is broken, or a limit on the size of files was met.`);
  }
  if (code === "ENOENT") return say(`There is no folder ${folder}.`);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return say(`This user may not write in ${folder}.`);
  return thrown;
}
