import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Engine } from "./engine.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";

/** Opens the database that `DATABASE_URL` names, migrated to the newest schema. */
export function openDatabase(url: string, options: SqliteOptions = {}): Engine {
  const path = sqlitePath(url);
  mkdirSync(dirname(path), { recursive: true });
  migrateSqlite(path);
  return openSqlite(path, options);
}

/** A further connection of a process that has the database open. */
export function reopenDatabase(url: string, options: SqliteOptions): Engine {
  return openSqlite(sqlitePath(url), options);
}

function sqlitePath(url: string): string {
  if (!url.startsWith("file:")) {
    throw new Error(
      `DATABASE_URL must begin with file: in this version (postgres:// is not built yet), not ${scheme(url)}`,
    );
  }
  return resolve(url.slice("file:".length));
}

/** Only the scheme: the rest of a database URL holds a password. */
function scheme(url: string): string {
  return `"${url.split(":")[0]}:…"`;
}
