import { chmodSync, closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Engine } from "../engine.ts";
import { explainFileError } from "./exclusive.ts";
import { readerOver } from "./sqlite.ts";

/** A database opened to be read, and never changed. */
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
 * Writes one moment of a database into a new file for its owner alone, on the disk when this returns. Writers of other
 * processes go on meanwhile. The copy stands on its own, without journals.
 * @param touch whether the source's journals may be tidied up, which a reader alone leaves lying about
 * @throws Error when the source is damaged, or there is no room; nothing is left then
 */
export function copyDatabase(from: string, to: string, { touch = false } = {}): void {
  try {
    // VACUUM INTO fills an empty file, and leaves its mode.
    closeSync(openSync(to, "wx", 0o600));
    chmodSync(to, 0o600);
    const source = new Database(from, { readonly: !touch, fileMustExist: true, timeout: 15_000 });
    try {
      source.prepare("VACUUM INTO ?").run(to);
    } finally {
      source.close();
    }
    flush(to);
    const damage = damageOf(to);
    if (damage !== null) throw new Error(`The copy of ${from} is damaged: ${damage}.`);
  } catch (thrown) {
    discard(to);
    throw explainFileError(explainDiskError(thrown, to), from);
  }
}

/** The first thing that is wrong with a file as such; null: nothing. */
export function damageOf(path: string): string | null {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const found = db.pragma("quick_check(1)", { simple: true }) as string;
    return found === "ok" ? null : found;
  } finally {
    db.close();
  }
}

/** A name for what is not finished, beside what it is to become: in the same file system. */
export function partialPath(path: string): string {
  return `${path}.part-${process.pid}-${Date.now().toString(36)}`;
}

/** Removes a database and its journals. */
export function discard(path: string): void {
  for (const end of ["", ...JOURNALS]) rmSync(`${path}${end}`, { force: true });
}

export const JOURNALS: readonly string[] = ["-wal", "-shm", "-journal"];

/** Waits until a file is on the disk. */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the name of a file is on the disk. */
export function flushDirectory(path: string): void {
  flush(dirname(path));
}

/** What to throw instead, where there was no room or no permission. */
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
