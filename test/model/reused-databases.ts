import Database from "better-sqlite3";
import pg from "pg";
import type { Engine } from "../../db/engine.ts";
import { openDatabase, sqlitePath } from "../../db/open.ts";
import { testDatabase } from "../support/database/database.ts";

/** A database that worlds use one after another: emptying it is far cheaper than creating one. */
export interface ReusableDatabase {
  readonly engine: Engine;
  empty(): Promise<void>;
}

const idle: ReusableDatabase[] = [];
/** Functions that drop the databases. */
const made: (() => Promise<void>)[] = [];

export async function takeDatabase(): Promise<ReusableDatabase> {
  return idle.pop() ?? newDatabase();
}

export async function releaseDatabase(database: ReusableDatabase): Promise<void> {
  // Comes after what a crashed worker has still under way, and which has the lock of those who write.
  await database.engine.tx(async () => undefined);
  await database.empty();
  idle.push(database);
}

/** Runs a model, and drops the databases that it used. */
export async function withReusedDatabases<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    idle.length = 0;
    for (const drop of made.splice(0)) await drop();
  }
}

async function newDatabase(): Promise<ReusableDatabase> {
  const database = await testDatabase();
  const engine = await openDatabase(database.url, { durable: false });
  const { empty, close } = await (engine.dialect === "pg" ? emptierOfPostgres : emptierOfSqlite)(database.url);
  made.push(async () => {
    await close();
    await engine.close();
    await database.drop();
  });
  return { engine, empty };
}

// The trigger that refuses to delete ledger entries is removed. Those that refuse to change or forge one stay.

async function emptierOfSqlite(url: string) {
  const raw = new Database(sqlitePath(url));
  raw.exec("DROP TRIGGER ledger_no_delete");
  const tables = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const emptied = tables.filter((name) => name !== "migrations" && !name.startsWith("sqlite_"));
  const statements = emptied.map((name) => raw.prepare(`DELETE FROM ${name}`));
  const empty = raw.transaction(() => statements.forEach((statement) => void statement.run()));
  return { empty: async () => empty.immediate(), close: async () => raw.close() };
}

async function emptierOfPostgres(url: string) {
  const raw = new pg.Client({ connectionString: url });
  await raw.connect();
  await raw.query(
    "CREATE OR REPLACE TRIGGER ledger_no_change BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only()",
  );
  const { rows } = await raw.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const tables = rows.map(({ name }) => name).filter((name) => name !== "migrations");
  const statements = tables.map((name) => `DELETE FROM ${name}`).join("; ");
  return { empty: async () => void (await raw.query(statements)), close: () => raw.end() };
}
