import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable } from "../src/platform/errors/database-unavailable.ts";
import type { Engine } from "./engine.ts";
import type { PostgresOptions } from "./postgres/connection.ts";
import { asUnavailable, explainRefusal } from "./postgres/error-codes.ts";
import { explainDiskError } from "./sqlite/copy.ts";
import { explainFileError, isBusy } from "./sqlite/exclusive.ts";
import { migrateSqlite } from "./sqlite/migrate.ts";
import { requireNewestSqlite } from "./sqlite/schema-state.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/sqlite.ts";

export interface DatabaseOptions extends SqliteOptions, PostgresOptions {
  /** How long to wait for a server that is not available yet, in ms. Default 0. */
  waitMs?: number;
  /** Called with the reason when the wait begins. */
  onWaiting?(reason: string): void;
  /** Called with a sentence about each thing that changes the schema. */
  onStep?(step: string): void;
}

/**
 * Migrates the database that `DATABASE_URL` names to the newest schema, and opens it. A file that is missing is created. Only
 * the commands `serve` and `migrate` may do so.
 * @throws Error that says what to do about the setting
 * @throws DatabaseUnavailable when the server is not available
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Engine> {
  if (isPostgres(url)) {
    const { migratePostgres } = await import("./postgres/migrate.ts");
    await untilAvailable(url, options, () => migratePostgres(url, options.onStep));
  } else {
    explaining(sqlitePath(url), (path) => {
      mkdirSync(dirname(path), { recursive: true });
      migrateSqlite(path, options.onStep);
    });
  }
  return reopenDatabase(url, options);
}

/**
 * Opens a database that has the newest schema, and changes nothing if it has not.
 * @throws Error that says what to do
 * @throws DatabaseUnavailable when the server is not available
 */
export async function openMigrated(url: string, options: DatabaseOptions = {}): Promise<Engine> {
  if (isPostgres(url)) {
    const { requireNewestPostgres } = await import("./postgres/migrate.ts");
    await untilAvailable(url, options, () => requireNewestPostgres(url));
  } else explaining(sqlitePath(url), requireNewestSqlite);
  return reopenDatabase(url, options);
}

/** Does something with a file, and explains what is wrong with the file. */
function explaining(path: string, work: (path: string) => void): void {
  try {
    work(path);
  } catch (thrown) {
    if (!isBusy(thrown)) throw explainDiskError(explainFileError(thrown, path), path);
    throw new Error(
      `Another program has locked ${path}, as the commands migrate, move and restore do while they run.`,
      {
        cause: thrown,
      },
    );
  }
}

/** A further connection of a process that has the database open. */
export async function reopenDatabase(url: string, options: DatabaseOptions): Promise<Engine> {
  if (!isPostgres(url)) return openSqlite(sqlitePath(url), options);
  const { openPostgres } = await import("./postgres/postgres.ts");
  return openPostgres(url, options);
}

export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/** The file of a SQLite database. */
export function sqlitePath(url: string): string {
  if (!url.startsWith("file:")) {
    throw new Error(`DATABASE_URL must begin with file: or postgres://, not ${scheme(url)}`);
  }
  return resolve(url.slice("file:".length));
}

/** A DATABASE_URL that can be shown and stored: without a password, and with the whole path of a file. */
export function shownAddress(url: string): string {
  if (!isPostgres(url)) return `file:${sqlitePath(url)}`;
  const shown = new URL(url);
  shown.password = "";
  // Options may have secrets too, such as sslpassword.
  shown.search = "";
  return shown.href;
}

/** Only the scheme, because the rest of a database URL may have a password. */
function scheme(url: string): string {
  return `"${url.split(":")[0]}:…"`;
}

/** Whether the host's name did not resolve: where containers start together, it does so once the host runs. */
function isUnresolved(thrown: unknown): boolean {
  return /^(?:ENOTFOUND|EAI_)/.test((thrown as { code?: string }).code ?? "");
}

async function untilAvailable(url: string, { waitMs = 0, onWaiting }: DatabaseOptions, work: () => Promise<void>) {
  const { host } = new URL(url);
  const deadline = performance.now() + waitMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (thrown) {
      const isTimeUp = performance.now() > deadline;
      const refusal = explainRefusal(thrown, url);
      if (refusal && (isTimeUp || !isUnresolved(thrown))) throw new Error(refusal, { cause: thrown });
      const away = asUnavailable(thrown);
      if (!away) throw thrown;
      if (isTimeUp) {
        throw new DatabaseUnavailable(`DATABASE_URL, PostgreSQL at ${host}: ${away.message}`, thrown);
      }
      if (tries === 1) {
        const most = Math.ceil(waitMs / 1_000);
        onWaiting?.(`PostgreSQL at ${host} cannot be used yet; waiting for it, up to ${most} s. ${away.message}`);
      }
      await sleep(500);
    }
  }
}
