import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { ownCommand, startCommand } from "../../src/platform/own-command.ts";
import { type AppliedMigration, requireNewest, type SchemaState, schemaState } from "../known-migrations.ts";

/** How long to wait for a process that has locked a file, in ms. */
const LOCK_MS = 30_000;

/** The schema of any file. */
export function stateOf(db: Database.Database): SchemaState {
  return schemaState("sqlite", appliedTo(db));
}

/** @throws Error unless the file is there and has the newest schema; nothing is changed */
export function requireNewestSqlite(path: string): void {
  if (!existsSync(path)) throw missingDatabase(path);
  requireNewest(readState(path), `The database at ${path}`);
}

/** The error that the file of DATABASE_URL is not there. */
export function missingDatabase(path: string): Error {
  return new Error(
    `There is no database at ${path}. \`${ownCommand("migrate")}\` makes one, and so does the start of the service: ${startCommand()}. If there is one elsewhere, set DATABASE_URL to it.`,
  );
}

/**
 * The schema of a file that other processes may use.
 * @throws Error where it has another program's tables, and none of ours
 */
export function readState(path: string): SchemaState {
  const db = new Database(path, { fileMustExist: true, timeout: LOCK_MS });
  try {
    // One snapshot, since another process may migrate the file meanwhile.
    return db.transaction(() => {
      const state = stateOf(db);
      if (state.age === "foreign" && hasTables(db)) throw new Error(anothers(path));
      return state;
    })();
  } finally {
    db.close();
  }
}

/** Whether a file has tables. Those of SQLite itself and of Litestream are in files that are otherwise empty, too. */
function hasTables(db: Database.Database): boolean {
  const own = "name GLOB 'sqlite_*' OR name GLOB '_litestream_*'";
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE NOT (${own})`).get() !== undefined;
}

function anothers(path: string): string {
  return `The file ${path} has tables of another program and none of Beckon, which leaves it as it is. Set DATABASE_URL to another file.`;
}

/** The migrations that a file has: none if it is new, or another program's. */
export function appliedTo(db: Database.Database): AppliedMigration[] {
  const columns = db.prepare("SELECT name FROM pragma_table_info('migrations')").pluck().all();
  if (!columns.includes("hash")) return [];
  const by = columns.includes("version") ? "version" : "''";
  return db.prepare(`SELECT hash, ${by} AS version FROM migrations ORDER BY at`).all() as AppliedMigration[];
}
