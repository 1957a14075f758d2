import Database from "better-sqlite3";
import { type SQL, sql } from "drizzle-orm";
import pg from "pg";
import type { Tx } from "../../../db/engine.ts";
import { isPostgres, sqlitePath } from "../../../db/open.ts";

/**
 * Runs one statement on a connection of its own, without the service's database layer, as another program might.
 * @returns its rows
 * @throws whatever the database's driver throws
 */
export async function rawQuery<Row>(url: string, statement: string): Promise<Row[]> {
  return isPostgres(url) ? onPostgres(url, statement) : onSqlite(sqlitePath(url), statement);
}

/** Runs a statement in a transaction of the service, as it is. */
export async function rawIn({ q }: Tx, statement: string): Promise<void> {
  const db = q as unknown as Readonly<Record<"execute" | "run", ((text: SQL) => unknown) | undefined>>;
  await (db.execute?.(sql.raw(statement)) ?? db.run?.(sql.raw(statement)));
}

/** Statements that drop the triggers and unique indexes, which would refuse the damage that a test does on purpose. */
export async function droppingGuards(url: string): Promise<string[]> {
  const guards = await rawQuery<{ drop: string }>(url, isPostgres(url) ? GUARDS.pg : GUARDS.sqlite);
  return guards.map(({ drop }) => drop);
}

/** Whether a database refused a row that exists already, by a unique index or a primary key. */
export function isUniqueViolation(thrown: unknown): boolean {
  const codes = new Set(["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"]);
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (codes.has((error as { code?: string }).code ?? "")) return true;
  }
  return false;
}

const GUARDS = {
  sqlite: `SELECT 'DROP ' || type || ' ' || name AS "drop" FROM sqlite_master
    WHERE type = 'trigger' OR sql LIKE 'CREATE UNIQUE%'`,
  pg: `SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS "drop" FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
    JOIN pg_class ON oid = indexrelid AND relnamespace = 'public'::regnamespace
    WHERE indisunique AND NOT indisprimary`,
} as const;

async function onPostgres<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(statement);
    return rows as Row[];
  } finally {
    await client.end();
  }
}

function onSqlite<Row>(path: string, text: string): Row[] {
  const raw = new Database(path);
  try {
    const statement = raw.prepare<[], Row>(text);
    if (statement.reader) return statement.all();
    statement.run();
    return [];
  } finally {
    raw.close();
  }
}
